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
    const { revision, hasOrigins } = await this.#state();
    if (revision === undefined) return { revision: 0, values: [] };
    const rows = await this.#link.query<IndexRow>({
      name: hasOrigins ? 'indices' : 'indices-before-origins',
      text: `SELECT ${shown(indexColumns, hasOrigins)} FROM index_values ORDER BY name, day`,
    });
    return { revision, values: rows.map(fromIndexRow) };
  }

  async revision(): Promise<number> {
    return this.#heads.current('indices') ?? (await this.#state()).revision ?? 0;
  }

  async readReplaced(index?: IndexName): Promise<readonly ReplacedIndexValue[]> {
    const { revision, hasOrigins } = await this.#state();
    if (revision === undefined) return [];
    const rows = await this.#link.query<ReplacedIndexRow>(
      {
        name: hasOrigins ? 'replaced-indices' : 'replaced-indices-before-origins',
        text: `
          SELECT ${shown(replacedIndexColumns, hasOrigins)} FROM replaced_index_values
          WHERE $1::text IS NULL OR name = $1 ORDER BY name, day, position`,
      },
      [index ?? null],
    );
    return rows.map(fromReplacedIndexRow);
  }

  /** The revision is undefined if the schema is older than the tables. It may be older than their origins, too. */
  async #state(): Promise<{ readonly revision: number | undefined; readonly hasOrigins: boolean }> {
    const [row] = await this.#link.query<readonly [number, boolean]>({
      name: 'index-revision',
      text: `SELECT value, to_regclass('changes') IS NOT NULL FROM revisions WHERE subject = 'indices'`,
    });
    return { revision: row?.[0], hasOrigins: row?.[1] ?? false };
  }
}

/** Columns of a statement. Without origins, those are null. */
function shown(columns: readonly string[], hasOrigins: boolean): string {
  return columns
    .map((column) => (hasOrigins || !column.endsWith('_by') ? column : `NULL AS ${column}`))
    .join(', ');
}
