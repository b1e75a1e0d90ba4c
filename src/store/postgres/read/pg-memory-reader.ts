import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type {
  ActionVersion,
  CloseVersion,
  TermsVersion,
} from '../../../domain/history/versions.ts';
import type { CorporateAction } from '../../../domain/history/corporate-action.ts';
import type { IssueTerms } from '../../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import type { StoreMemory } from '../../contract/store-memory.ts';
import { fromCloseRow, type CloseRow } from '../../encoding/close-row.ts';
import { damaged } from '../../encoding/damaged.ts';
import type { Reader } from '../../sql/sql.ts';
import { actionTable } from '../../tables/actions.ts';
import { termsTable } from '../../tables/terms.ts';
import { VersionedReader } from '../../versioned-table.ts';
import { textArray } from '../session/binary-arrays.ts';
import type { Link } from '../connection/link.ts';
import { memorySql } from './memory-sql.ts';

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
  readonly #actions: VersionedReader<CorporateAction>;
  readonly #terms: VersionedReader<IssueTerms>;

  constructor(link: Link, sql: Reader) {
    this.#link = link;
    this.#actions = new VersionedReader(sql, actionTable);
    this.#terms = new VersionedReader(sql, termsTable);
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

  readActions(): Promise<readonly ActionVersion[]> {
    return this.#actions.readVersions();
  }

  readTerms(): Promise<readonly TermsVersion[]> {
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

function toVersion(row: VersionRow): CloseVersion {
  const [, , , , , , , storedAt, storedBy, replacedAt, replacedBy] = row;
  const stored = { at: storedAt, origin: storedBy };
  const value = fromCloseRow(row);
  if (replacedAt === null || replacedBy === null) return { value, stored };
  return { value, stored, replaced: { at: replacedAt, origin: replacedBy } };
}
