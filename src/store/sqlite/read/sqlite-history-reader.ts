import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import {
  emptySeries,
  type BarSeries,
  type CloseSeries,
  type DailyClose,
} from '../../../domain/history/daily-close.ts';
import {
  firstOfMonth,
  firstOfYear,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../domain/calendar/plain-date.ts';
import {
  noReferences,
  type ReferenceClose,
  type ReferenceCloses,
} from '../../../domain/history/reference-closes.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { CloseReader, DayRange, HistoryReader } from '../../contract/history-store.ts';
import { fromCloseRow, type StoredCloseRow } from '../../encoding/close-row.ts';
import { damaged } from '../../contract/store-fault.ts';
import { historySql } from '../rows/history-sql.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { Snapshot } from '../seals/set-seal.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';

/** Maximum number of instruments that are read without yielding to the event loop: about 4 ms. */
const instrumentsPerTurn = 50;

/** Reads committed daily closes, each of which is compared with its seal. */
export class SqliteHistoryReader implements HistoryReader, CloseReader {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #closes: VerifiedCloses;
  readonly #count: StatementSync;
  readonly #revision: StatementSync;
  readonly #changed: StatementSync;
  readonly #changedSeals: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#closes = new VerifiedCloses(database, path);
    this.#count = database.prepare(historySql.count);
    this.#revision = database.prepare(historySql.revision);
    this.#changed = database.prepare(historySql.changed);
    this.#changedSeals = database.prepare(historySql.changedSeals);
  }

  async readSeries(ticker: Ticker, range: DayRange): Promise<CloseSeries> {
    const rows = this.#read(() => {
      const id = this.#closes.idOf(ticker);
      return id === undefined ? [] : this.#closes.prices(id, range);
    });
    return toSeries(rows);
  }

  async readBars(ticker: Ticker, range: DayRange): Promise<BarSeries> {
    const rows = this.#rows(ticker, range);
    const column = (at: 3 | 4 | 5): Float64Array =>
      Float64Array.from(rows, (row) => row[at] ?? Number.NaN);
    return { ...toSeries(rows), opens: column(3), highs: column(4), lows: column(5) };
  }

  async countCloses(
    tickers: readonly Ticker[],
    { from, to }: DayRange,
  ): Promise<readonly number[]> {
    return this.#read(() =>
      tickers.map((ticker) => {
        const id = this.#closes.idOf(ticker);
        return id === undefined ? 0 : soundNumber(this.#path, this.#count.get(id, from, to));
      }),
    );
  }

  async readCloses(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    return this.#rows(ticker, range).map(fromCloseRow);
  }

  async latestCloses(tickers: readonly Ticker[]): Promise<ReadonlyMap<Ticker, DailyClose>> {
    const found = new Map<Ticker, DailyClose>();
    for (const [index, ticker] of tickers.entries()) {
      if (index > 0 && index % instrumentsPerTurn === 0) await nextTurn();
      const row = this.#read(() => {
        const id = this.#closes.idOf(ticker);
        if (id === undefined) return undefined;
        return this.#closes.rows(id, this.#closes.rangeOfLast(id, Infinity)).at(-1);
      });
      if (row !== undefined) found.set(ticker, fromCloseRow(row));
    }
    return found;
  }

  async referenceCloses(
    sessions: readonly { readonly ticker: Ticker; readonly sessionDate: PlainDate }[],
  ): Promise<readonly ReferenceCloses[]> {
    const found: ReferenceCloses[] = [];
    for (const [index, { ticker, sessionDate }] of sessions.entries()) {
      if (index > 0 && index % instrumentsPerTurn === 0) await nextTurn();
      found.push(this.#read(() => this.#referencesOf(ticker, sessionDate)));
    }
    return found;
  }

  async changesSince(
    revision: number,
  ): Promise<{ readonly revision: number; readonly tickers: readonly Ticker[] }> {
    return this.#read(() => {
      const reached = soundNumber(this.#path, this.#revision.get());
      if (reached <= revision) return { revision: reached, tickers: [] };
      const changed = tickersOf(this.#changed.all(revision));
      if (!isDeepStrictEqual(changed, tickersOf(this.#changedSeals.all(revision)))) {
        throw damaged(this.#path, 'instruments whose closes have changed are missing');
      }
      return { revision: reached, tickers: changed };
    });
  }

  #rows(ticker: Ticker, range: DayRange): readonly StoredCloseRow[] {
    return this.#read(() => {
      const id = this.#closes.idOf(ticker);
      return id === undefined ? [] : this.#closes.rows(id, range);
    });
  }

  #referencesOf(ticker: Ticker, sessionDate: PlainDate): ReferenceCloses {
    const id = this.#closes.idOf(ticker);
    if (id === undefined) return noReferences;
    const previous = this.#lastBefore(id, toEpochDay(sessionDate));
    const monthBase = this.#lastBefore(id, toEpochDay(firstOfMonth(sessionDate)));
    const yearBase = this.#lastBefore(id, toEpochDay(firstOfYear(sessionDate)));
    return {
      ...(previous === undefined ? {} : { previous }),
      ...(monthBase === undefined ? {} : { monthBase }),
      ...(yearBase === undefined ? {} : { yearBase }),
    };
  }

  #lastBefore(id: number, day: EpochDay): ReferenceClose | undefined {
    const row = this.#closes.prices(id, this.#closes.rangeOfLast(id, day)).at(-1);
    return row === undefined ? undefined : { day: row[0] as EpochDay, close: row[1] };
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}

function tickersOf(rows: readonly unknown[]): readonly Ticker[] {
  return (rows as readonly (readonly [Ticker])[]).map(([ticker]) => ticker);
}

/** The first columns of each row of closes: day, close, volume. */
type SeriesRow = readonly [number, number, number | null, ...unknown[]];

function toSeries(rows: readonly SeriesRow[]): CloseSeries {
  if (rows.length === 0) return emptySeries;
  const days = new Int32Array(rows.length);
  const closes = new Float64Array(rows.length);
  const volumes = new Float64Array(rows.length);
  for (const [index, [day, close, volume]] of rows.entries()) {
    days[index] = day;
    closes[index] = close;
    volumes[index] = volume ?? Number.NaN;
  }
  return { days, closes, volumes };
}
