import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { ReplacedIndexValue } from '../../../domain/indices/index-value.ts';
import type { IndexStore } from '../../contract/index-store.ts';
import {
  fromIndexRow,
  fromReplacedIndexRow,
  indexColumns,
  replacedIndexColumns,
  type IndexRow,
  type ReplacedIndexRow,
} from '../../encoding/index-row.ts';
import type { Link } from '../connection/link.ts';
import type { Heads } from '../watch/heads.ts';
import { readRevision } from './read-revision.ts';

/** Reads committed values of indices. */
export class PgIndexReader implements Pick<IndexStore, 'readAll' | 'revision' | 'readReplaced'> {
  readonly #link: Link;
  readonly #heads: Heads;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  async readAll(): ReturnType<IndexStore['readAll']> {
    // The revision is read first, so values that are added in between are read again rather than missed.
    const revision = await readRevision(this.#link, 'indices');
    const rows = await this.#link.query<IndexRow>({
      name: 'indices',
      text: `SELECT ${indexColumns.join(', ')} FROM index_values ORDER BY name, day`,
    });
    return { revision, values: rows.map(fromIndexRow) };
  }

  async revision(): Promise<number> {
    return this.#heads.current('indices') ?? readRevision(this.#link, 'indices');
  }

  async readReplaced(index?: IndexName): Promise<readonly ReplacedIndexValue[]> {
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
}
