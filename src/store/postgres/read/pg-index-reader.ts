import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { ReplacedIndexValue } from '../../../domain/indices/index-value.ts';
import type { IndexStore } from '../../contract/index-store.ts';
import {
  fromIndexRow,
  fromReplacedIndexRow,
  indexColumns,
  replacedIndexColumns,
} from '../../encoding/index-row.ts';
import type { IndexRow, ReplacedIndexRow } from '../../encoding/index-row.ts';
import type { Link } from '../connection/link.ts';
import type { Heads } from '../watch/heads.ts';

/**
 * Reads committed values of indices. The tables do not exist while the writer is of a version before them: then
 * there are no values.
 */
export class PgIndexReader implements Pick<IndexStore, 'readAll' | 'revision' | 'readReplaced'> {
  readonly #link: Link;
  readonly #heads: Heads;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  async readAll(): ReturnType<IndexStore['readAll']> {
    // The revision is read first, so values that are added in between are read again rather than missed.
    const revision = await this.#readRevision();
    if (revision === undefined) return { revision: 0, values: [] };
    const rows = await this.#link.query<IndexRow>({
      name: 'indices',
      text: `SELECT ${indexColumns.join(', ')} FROM index_values ORDER BY name, day`,
    });
    return { revision, values: rows.map(fromIndexRow) };
  }

  async revision(): Promise<number> {
    return this.#heads.current('indices') ?? (await this.#readRevision()) ?? 0;
  }

  async readReplaced(index?: IndexName): Promise<readonly ReplacedIndexValue[]> {
    if ((await this.#readRevision()) === undefined) return [];
    const rows = await this.#link.query<ReplacedIndexRow>(
      {
        name: 'replaced-indices',
        text: `
          SELECT ${replacedIndexColumns.join(', ')} FROM replaced_index_values
          WHERE $1::text IS NULL OR name = $1 ORDER BY name, day, position`,
      },
      [index ?? null],
    );
    return rows.map(fromReplacedIndexRow);
  }

  /** Undefined if the schema is older than the tables. */
  async #readRevision(): Promise<number | undefined> {
    const [row] = await this.#link.query<readonly [number]>({
      name: 'index-revision',
      text: `SELECT value FROM revisions WHERE subject = 'indices'`,
    });
    return row?.[0];
  }
}
