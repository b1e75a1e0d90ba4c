import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type {
  ActionVersion,
  CloseVersion,
  TermsVersion,
} from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import type { StoreMemory } from '../../contract/store-memory.ts';
import {
  actionVersions,
  replacedActionColumns,
  storedActionColumns,
  type ReplacedActionRow,
  type StoredActionRow,
} from '../../encoding/action-row.ts';
import { fromCloseRow, type CloseRow } from '../../encoding/close-row.ts';
import { damaged } from '../../encoding/damaged.ts';
import { textArray } from '../session/binary-arrays.ts';
import type { Link } from '../connection/link.ts';
import { memorySql } from './memory-sql.ts';
import type { PgTermsReader } from './pg-terms-reader.ts';

/** A close with the instants and origins of the changes that stored and replaced it. */
type VersionRow = readonly [
  ...CloseRow,
  storedAt: number,
  storedBy: ChangeOrigin,
  replacedAt: number | null,
  replacedBy: ChangeOrigin | null,
];

/** Reads the memory of changes. */
export class PgMemoryReader implements StoreMemory {
  readonly #link: Link;
  readonly #terms: PgTermsReader;

  constructor(link: Link, terms: PgTermsReader) {
    this.#link = link;
    this.#terms = terms;
  }

  async readCloses(ticker: Ticker, { from, to }: DayRange): Promise<readonly CloseVersion[]> {
    const rows = await this.#link.query<VersionRow>(memorySql.closes, [ticker, from, to]);
    return rows.map(toVersion);
  }

  async countCloses(
    tickers: readonly Ticker[],
    { from, to }: DayRange,
    instant: number,
  ): Promise<readonly number[]> {
    const rows = await this.#link.query<readonly [number]>(memorySql.count, [
      textArray(tickers),
      from,
      to,
      instant,
    ]);
    return rows.map(([count]) => count);
  }

  async readActions(): Promise<readonly ActionVersion[]> {
    // One statement reads both tables as of one instant.
    const columns = replacedActionColumns.join(', ');
    const rows = await this.#link.query<readonly [...ReplacedActionRow, position: number]>({
      name: 'action-versions',
      text: `
        SELECT ${columns}, position FROM replaced_actions
        UNION ALL SELECT ${storedActionColumns.join(', ')}, NULL, NULL, NULL FROM corporate_actions
        ORDER BY position NULLS LAST`,
    });
    return actionVersions(this.#link.where, {
      stored: rows.filter((row) => !isReplaced(row)).map(asStored),
      replaced: rows.filter(isReplaced).map(asReplaced),
    });
  }

  async readTerms(): Promise<readonly TermsVersion[]> {
    return this.#terms.readVersions();
  }

  async knownSince(ticker: Ticker): Promise<number | undefined> {
    const [[first] = [null]] = await this.#link.query<readonly [number | null]>(memorySql.first, [
      ticker,
    ]);
    return first ?? undefined;
  }

  async began(): Promise<number> {
    const [row] = await this.#link.query<readonly [number]>(memorySql.began);
    if (row === undefined) throw damaged(this.#link.where, 'its first change is missing');
    return row[0];
  }
}

/** Whether a row has the instant at which its action was replaced. */
function isReplaced(row: readonly unknown[]): boolean {
  return row[10] !== null;
}

function asReplaced(row: readonly [...ReplacedActionRow, position: number]): ReplacedActionRow {
  return row.slice(0, replacedActionColumns.length) as unknown as ReplacedActionRow;
}

function asStored(row: readonly [...ReplacedActionRow, position: number]): StoredActionRow {
  return row.slice(0, storedActionColumns.length) as unknown as StoredActionRow;
}

function toVersion(row: VersionRow): CloseVersion {
  const [, , , , , , , storedAt, storedBy, replacedAt, replacedBy] = row;
  const stored = { at: storedAt, origin: storedBy };
  const value = fromCloseRow(row);
  if (replacedAt === null || replacedBy === null) return { value, stored };
  return { value, stored, replaced: { at: replacedAt, origin: replacedBy } };
}
