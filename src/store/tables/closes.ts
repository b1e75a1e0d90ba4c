import type { StoreChange } from '../../domain/changes/version.ts';
import {
  firstEpochDay,
  firstOfMonth,
  firstOfYear,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  noReferences,
  type ReferenceClose,
  type ReferenceCloses,
} from '../../domain/history/reference-closes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type {
  CloseReader,
  DayRange,
  HistoryReader,
  HistoryTransaction,
} from '../contract/history-store.ts';
import { damaged } from '../contract/store-fault.ts';
import type { StoreMemory } from '../contract/versioned-stores.ts';
import { fromCloseRow, type ReplacedCloseRow, type StoredCloseRow } from '../encoding/close-row.ts';
import type { Reader, Row, Seals, Transaction } from '../sql/sql.ts';

const idOf = (ticker: string): string => `(SELECT id FROM instruments WHERE ticker = ${ticker})`;

const ofTicker = `instrument_id = ${idOf('$1')} AND day BETWEEN $2 AND $3`;

/** The position of a close that is not replaced. */
const afterAll = 2 ** 53 - 1;

const values = 'day, close, volume, open, high, low, sources.name, change_id';

/** The last close before a day of each given instrument. No row if it has none. */
const lastText = (columns: string) => (given: string) =>
  `
  SELECT place, ${columns}
  FROM ${given} JOIN instruments ON instruments.ticker = given.ticker
  JOIN closes ON instrument_id = instruments.id AND day = (
    SELECT max(day) FROM closes AS earlier
    WHERE earlier.instrument_id = instruments.id AND earlier.day < given.before)
  LEFT JOIN sources ON sources.id = source_id`;

/** Every statement that reads closes of one instrument or of each given one. Each one searches an index. */
export const closeSql = {
  series: `SELECT day, close, volume FROM closes WHERE ${ofTicker} ORDER BY day`,

  closes: `
    SELECT ${values} FROM closes LEFT JOIN sources ON sources.id = source_id
    WHERE ${ofTicker} ORDER BY day`,

  // The last columns are null in a row that is not replaced.
  versions: `
    SELECT ${values}, position, replaced_by, stored.at, stored.origin, ended.at, ended.origin
    FROM replaced_closes LEFT JOIN sources ON sources.id = source_id
    JOIN changes AS stored ON stored.id = change_id JOIN changes AS ended ON ended.id = replaced_by
    WHERE ${ofTicker}
    UNION ALL
    SELECT ${values}, ${afterAll}, NULL, stored.at, stored.origin, NULL, NULL
    FROM closes LEFT JOIN sources ON sources.id = source_id
    JOIN changes AS stored ON stored.id = change_id
    WHERE ${ofTicker}
    ORDER BY day, position`,

  lastPrices: lastText('day, close, volume'),

  lastCloses: lastText(values),

  count: (given: string) => `
    SELECT place, (
      SELECT count(*) FROM closes
      WHERE instrument_id = ${idOf('given.ticker')} AND day BETWEEN first AND last
    ) FROM ${given}`,

  countKnown: (given: string) => `
    SELECT place, (
      SELECT count(*) FROM closes JOIN changes ON changes.id = change_id
      WHERE instrument_id = ${idOf('given.ticker')} AND day BETWEEN first AND last AND at <= instant
    ) + (
      SELECT count(*) FROM replaced_closes
      JOIN changes AS stored ON stored.id = change_id
      JOIN changes AS ended ON ended.id = replaced_by
      WHERE instrument_id = ${idOf('given.ticker')} AND day BETWEEN first AND last
        AND stored.at <= instant AND ended.at > instant
    ) FROM ${given}`,

  firstChange: `
    SELECT min(at) FROM (
      SELECT change_id FROM closes WHERE instrument_id = ${idOf('$1')}
      UNION ALL SELECT change_id FROM replaced_closes WHERE instrument_id = ${idOf('$1')}
    ) AS known JOIN changes ON changes.id = change_id`,

  changed: `
    SELECT value, ticker FROM revisions LEFT JOIN instruments ON closes_revision > $1
    WHERE subject = 'closes' ORDER BY closes_revision, ticker`,
} as const;

/** The change that is the creation of the store. */
export const firstChangeId = 1;

/** Day, close and volume of a close. */
type PriceRow = readonly [day: EpochDay, close: number, volume: number | null, ...Row];

/** A row of {@link closeSql.versions}. */
type VersionRow = readonly [
  ...StoredCloseRow,
  position: number,
  replacedBy: number | null,
  ...stored: ChangeRow,
  ...ended: ChangeRow | readonly [null, null],
];

type ReplacedRow = readonly [...ReplacedCloseRow, ...stored: ChangeRow, ...ended: ChangeRow];

type ChangeRow = readonly [at: number, origin: StoreChange['origin']];

interface OfTicker {
  readonly ticker: Ticker;
  readonly range: DayRange;
}

/** Reads committed daily closes. */
export function historyReader(sql: Reader): HistoryReader & CloseReader {
  const series = <Name extends string>(
    text: string,
    { ticker, range, columns }: OfTicker & { readonly columns: Readonly<Record<Name, string>> },
  ) =>
    sql.series<Name, StoredCloseRow>(text, {
      values: [ticker, range.from, range.to],
      columns,
      check: (rows, seals) => seals.closes(ticker, range, rows),
    });
  const prices = { closes: 'close', volumes: 'volume' } as const;
  const bars = { ...prices, opens: 'open', highs: 'high', lows: 'low' } as const;
  return {
    readSeries: (ticker, range) => series(closeSql.series, { ticker, range, columns: prices }),
    readBars: (ticker, range) => series(closeSql.closes, { ticker, range, columns: bars }),
    countCloses: (tickers, range) => countCloses(sql, tickers, { range }),
    readCloses: (ticker, range) => readCloses(sql, ticker, range),
    async latestCloses(tickers) {
      const wanted = tickers.map((ticker) => ({ ticker, before: lastEpochDay + 1 }));
      const rows = await lastOf<StoredCloseRow>(sql, closeSql.lastCloses, wanted);
      return new Map(
        tickers.flatMap((ticker, at) => {
          const row = rows[at];
          return row === undefined ? [] : [[ticker, fromCloseRow(row)]];
        }),
      );
    },
    async referenceCloses(sessions) {
      const wanted = sessions.flatMap(({ ticker, sessionDate }) =>
        [sessionDate, firstOfMonth(sessionDate), firstOfYear(sessionDate)].map((day) => ({
          ticker,
          before: toEpochDay(day),
        })),
      );
      const rows = await lastOf<PriceRow>(sql, closeSql.lastPrices, wanted);
      return sessions.map((_, at) => referencesOf(rows.slice(at * 3, at * 3 + 3)));
    },
    async changesSince(revision) {
      if ((await sql.revision('closes')) === revision) return { revision, tickers: [] };
      const rows = await sql.all<readonly [number, Ticker | null]>(
        closeSql.changed,
        [revision],
        (found, seals) => seals.changed(revision, tickersOf(found)),
      );
      const [row] = rows;
      if (row === undefined) throw damaged(sql.where, 'the revision of closes is missing');
      return { revision: row[0], tickers: tickersOf(rows) };
    },
  };
}

/** Reads the memory of closes. */
export function closeMemory(sql: Reader): StoreMemory {
  return {
    async readCloses(ticker, range) {
      const rows = await sql.all<VersionRow>(
        closeSql.versions,
        [ticker, range.from, range.to],
        (found, seals) => {
          const replaced = found.filter(isReplaced);
          seals.closes(
            ticker,
            range,
            found.filter((row) => !isReplaced(row)),
          );
          seals.replaced(ticker, range, replaced);
          verifyChanges(seals, found, { id: 7, at: 10 });
          verifyChanges(seals, replaced, { id: 9, at: 12 });
        },
      );
      return rows.map((row) => {
        const [value, stored] = [fromCloseRow(row), changeAt(row, 10)];
        return isReplaced(row) ? { value, stored, replaced: changeAt(row, 12) } : { value, stored };
      });
    },
    countCloses: (tickers, range, instant) => countCloses(sql, tickers, { range, instant }),
    async knownSince(ticker) {
      const [row] = await sql.all<readonly [number | null]>(
        closeSql.firstChange,
        [ticker],
        ([found], seals) => {
          if (seals.history(ticker) === (found?.[0] ?? undefined)) return;
          throw damaged(sql.where, `the first change of ${ticker} is not found as it was stored`);
        },
      );
      return row?.[0] ?? undefined;
    },
    async began() {
      const [row] = await sql.all<ChangeRow>(
        'SELECT at, origin FROM changes WHERE id = $1',
        [firstChangeId],
        ([found], seals) => found && seals.change(firstChangeId, changeAt(found, 0)),
      );
      if (row === undefined) throw damaged(sql.where, 'its first change is missing');
      return row[0];
    },
  };
}

/** Verifies the changes of rows, whose columns are given. Most rows have the change of the row before. */
function verifyChanges(
  seals: Seals,
  rows: readonly VersionRow[],
  { id, at }: { readonly id: 7 | 9; readonly at: 10 | 12 },
): void {
  let last: Row = [];
  for (const row of rows) {
    const isSame = row[id] === last[id] && row[at] === last[at] && row[at + 1] === last[at + 1];
    if (!isSame) seals.change(row[id] as number, changeAt(row, at));
    last = row;
  }
}

/** All fields of the closes of an instrument in a range, ascending. */
export async function readCloses(
  sql: Pick<Transaction, 'all'>,
  ticker: Ticker,
  range: DayRange,
): Promise<readonly DailyClose[]> {
  const rows = await sql.all<StoredCloseRow>(
    closeSql.closes,
    [ticker, range.from, range.to],
    (found, seals) => seals.closes(ticker, range, found),
  );
  return rows.map(fromCloseRow);
}

/**
 * Runs the work of a transaction of history. After a failure it cannot be committed, even when `work` caught the error:
 * the database may have rolled back the earlier statements. The methods reject after the end.
 *
 * @param own.finish the last step before the commit
 * @param own.toFault converts an error of a method
 */
export async function runHistory<T>(
  work: (transaction: HistoryTransaction) => Promise<T>,
  methods: HistoryTransaction,
  own: { readonly finish: () => Promise<void>; readonly toFault?: (error: unknown) => unknown },
): Promise<T> {
  let state: 'open' | 'failed' | 'ended' = 'open';
  let failure: unknown;
  const attempt = async <R>(run: () => Promise<R>): Promise<R> => {
    if (state === 'ended') throw new Error('the transaction has ended');
    if (state === 'failed') throw failure;
    try {
      return await run();
    } catch (error) {
      state = 'failed';
      failure = own.toFault === undefined ? error : own.toFault(error);
      throw failure;
    }
  };
  try {
    const result = await work({
      read: (...args) => attempt(() => methods.read(...args)),
      put: (...args) => attempt(() => methods.put(...args)),
      restore: (...args) => attempt(() => methods.restore(...args)),
    });
    await attempt(own.finish);
    return result;
  } finally {
    state = 'ended';
  }
}

/** The number of closes of each instrument, at an instant if one is given. */
async function countCloses(
  sql: Reader,
  tickers: readonly Ticker[],
  { range: { from, to }, instant }: { readonly range: DayRange; readonly instant?: number },
): Promise<readonly number[]> {
  const isKnown = instant !== undefined;
  const rows = await sql.lookUp<readonly [number]>(
    { ticker: 'text', first: 'integer', last: 'integer', ...(isKnown ? { instant: 'big' } : {}) },
    tickers.map((ticker) => [ticker, from, to, ...(isKnown ? [instant] : [])]),
    isKnown ? closeSql.countKnown : closeSql.count,
    (at, _, seals) => seals.instrument(tickers[at] as Ticker),
  );
  return rows.map((row) => row?.[0] ?? 0);
}

/** The last close of each instrument before a day. */
function lastOf<R extends PriceRow>(
  sql: Reader,
  text: (given: string) => string,
  wanted: readonly { readonly ticker: Ticker; readonly before: number }[],
): Promise<readonly (R | undefined)[]> {
  return sql.lookUp<R>(
    { ticker: 'text', before: 'integer' },
    wanted.map(({ ticker, before }) => [ticker, before]),
    text,
    (at, row, seals) => {
      const { ticker, before } = wanted[at] as (typeof wanted)[number];
      // If it were not the last one, others would be after it.
      const from = row?.[0] ?? firstEpochDay;
      const range = { from, to: before - 1 } as DayRange;
      seals.closes(ticker, range, row === undefined ? [] : [row]);
    },
  );
}

function referencesOf(found: readonly (PriceRow | undefined)[]): ReferenceCloses {
  const [previous, monthBase, yearBase] = found.map(
    (row): ReferenceClose | undefined => row && { day: row[0], close: row[1] },
  );
  // The base of a month or a year is a close before this one.
  if (previous === undefined) return noReferences;
  return {
    previous,
    ...(monthBase === undefined ? {} : { monthBase }),
    ...(yearBase === undefined ? {} : { yearBase }),
  };
}

function tickersOf(rows: readonly (readonly [number, Ticker | null])[]): readonly Ticker[] {
  return rows.flatMap(([, ticker]) => ticker ?? []);
}

function isReplaced(row: VersionRow): row is ReplacedRow {
  return row[9] !== null;
}

function changeAt(row: Row, at: number): StoreChange {
  return { at: row[at] as number, origin: row[at + 1] as StoreChange['origin'] };
}
