import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import type { StoreMemory } from '../../contract/store-memory.ts';
import { type CloseRow, fromCloseRow } from '../../encoding/close-row.ts';
import { damaged } from '../../contract/store-fault.ts';
import type { Link } from '../connection/link.ts';
import { textArray } from '../session/binary-arrays.ts';
import type { Statement } from '../session/session.ts';

const ofTicker = `instrument_id = (SELECT id FROM instruments WHERE ticker = $1)`;

const values = 'day, close, volume, open, high, low, source_id, change_id';

/** The statements that read the memory of closes. */
const memorySql = {
  /** The first change is the creation of the store. */
  began: { name: 'memory-began', text: 'SELECT at FROM changes ORDER BY id LIMIT 1' },

  closes: {
    name: 'close-versions',
    text: `
      SELECT day, close, volume, open, high, low, sources.name, stored.at, stored.origin,
        replaced.at, replaced.origin
      FROM (
        SELECT ${values}, replaced_by, position FROM replaced_closes
        WHERE ${ofTicker} AND day BETWEEN $2 AND $3
        UNION ALL
        SELECT ${values}, NULL, NULL FROM closes WHERE ${ofTicker} AND day BETWEEN $2 AND $3
      ) AS versions
      LEFT JOIN sources ON sources.id = source_id
      JOIN changes AS stored ON stored.id = change_id
      LEFT JOIN changes AS replaced ON replaced.id = replaced_by
      ORDER BY day, position NULLS LAST`,
  },

  count: {
    name: 'close-count-known',
    text: `
      SELECT (
        SELECT count(*)::int FROM closes JOIN changes ON changes.id = change_id
        WHERE instrument_id = instruments.id AND day BETWEEN $2 AND $3 AND at <= $4
      ) + (
        SELECT count(*)::int FROM replaced_closes
        JOIN changes AS stored ON stored.id = change_id
        JOIN changes AS replaced ON replaced.id = replaced_by
        WHERE instrument_id = instruments.id AND day BETWEEN $2 AND $3
          AND stored.at <= $4 AND replaced.at > $4
      )
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (ticker, position)
      LEFT JOIN instruments ON instruments.ticker = wanted.ticker ORDER BY position`,
  },

  first: {
    name: 'close-known-since',
    text: `
      SELECT min(at)
      FROM (
        SELECT change_id FROM closes WHERE ${ofTicker}
        UNION SELECT change_id FROM replaced_closes WHERE ${ofTicker}
      ) AS known JOIN changes ON changes.id = change_id`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** A close with the instants and origins of the changes that stored and replaced it. */
type VersionRow = readonly [
  ...CloseRow,
  storedAt: number,
  storedBy: ChangeOrigin,
  replacedAt: number | null,
  replacedBy: ChangeOrigin | null,
];

/** Reads the memory of closes. */
export class PgMemoryReader implements Omit<StoreMemory, 'readActions' | 'readTerms'> {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
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
