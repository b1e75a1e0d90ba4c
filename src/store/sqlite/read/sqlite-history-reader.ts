import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { BarSeries, CloseSeries, DailyClose } from '../../../domain/daily-close.ts';
import { emptySeries } from '../../../domain/daily-close.ts';
import { firstOfMonth, firstOfYear, toEpochDay } from '../../../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../../../domain/plain-date.ts';
import { noReferences } from '../../../domain/reference-closes.ts';
import type { ReferenceClose, ReferenceCloses } from '../../../domain/reference-closes.ts';
import type { Ticker } from '../../../domain/ticker.ts';
import type { CloseReader, DayRange, HistoryReader } from '../../history-store.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import type { CloseRow } from '../../encoding/close-row.ts';
import { historySql } from '../rows/history-sql.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';

/** Maximum number of instruments that are read without yielding to the event loop: 2 to 4 ms. */
const instrumentsPerTurn = 500;

/** Reads committed daily closes. */
export class SqliteHistoryReader implements HistoryReader, CloseReader {
  readonly #path: string;
  readonly #series: StatementSync;
  readonly #rows: StatementSync;
  readonly #latest: StatementSync;
  readonly #references: StatementSync;
  readonly #revision: StatementSync;
  readonly #changed: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#series = database.prepare(historySql.series);
    this.#rows = database.prepare(historySql.rows);
    this.#latest = database.prepare(historySql.latest);
    this.#references = database.prepare(historySql.references);
    this.#revision = database.prepare(historySql.revision);
    this.#changed = database.prepare(historySql.changed);
  }

  async readSeries(ticker: Ticker, { from, to }: DayRange): Promise<CloseSeries> {
    const rows = withFaults(this.#path, () => this.#series.all(ticker, from, to));
    return toSeries(rows as unknown as readonly SeriesRow[]);
  }

  async readBars(ticker: Ticker, { from, to }: DayRange): Promise<BarSeries> {
    const found = withFaults(this.#path, () => this.#rows.all(ticker, from, to));
    const rows = found as unknown as readonly CloseRow[];
    const column = (at: 3 | 4 | 5): Float64Array =>
      Float64Array.from(rows, (row) => row[at] ?? Number.NaN);
    return { ...toSeries(rows), opens: column(3), highs: column(4), lows: column(5) };
  }

  async readCloses(ticker: Ticker, { from, to }: DayRange): Promise<readonly DailyClose[]> {
    const rows = withFaults(this.#path, () => this.#rows.all(ticker, from, to));
    return (rows as unknown as readonly CloseRow[]).map(fromCloseRow);
  }

  async latestCloses(tickers: readonly Ticker[]): Promise<ReadonlyMap<Ticker, DailyClose>> {
    const found = new Map<Ticker, DailyClose>();
    for (const [index, ticker] of tickers.entries()) {
      if (index > 0 && index % instrumentsPerTurn === 0) await nextTurn();
      const row = withFaults(this.#path, () => this.#latest.get(ticker));
      if (row !== undefined) found.set(ticker, fromCloseRow(row as unknown as CloseRow));
    }
    return found;
  }

  async referenceCloses(
    sessions: readonly { readonly ticker: Ticker; readonly sessionDate: PlainDate }[],
  ): Promise<readonly ReferenceCloses[]> {
    const found: ReferenceCloses[] = [];
    for (const [index, { ticker, sessionDate }] of sessions.entries()) {
      if (index > 0 && index % instrumentsPerTurn === 0) await nextTurn();
      found.push(this.#referencesOf(ticker, sessionDate));
    }
    return found;
  }

  async changesSince(
    revision: number,
  ): Promise<{ readonly revision: number; readonly tickers: readonly Ticker[] }> {
    return withFaults(this.#path, () => {
      // The revision is read first, so a change in between is reported twice rather than missed.
      const reached = soundNumber(this.#path, this.#revision.get());
      if (reached <= revision) return { revision: reached, tickers: [] };
      const rows = this.#changed.all(revision) as unknown as readonly (readonly [Ticker])[];
      return { revision: reached, tickers: rows.map(([ticker]) => ticker) };
    });
  }

  #referencesOf(ticker: Ticker, sessionDate: PlainDate): ReferenceCloses {
    const row = withFaults(this.#path, () =>
      this.#references.get(
        toEpochDay(sessionDate),
        toEpochDay(firstOfMonth(sessionDate)),
        toEpochDay(firstOfYear(sessionDate)),
        ticker,
      ),
    );
    if (row === undefined) return noReferences;
    const columns = row as unknown as readonly (number | null)[];
    const [previous, monthBase, yearBase] = [0, 2, 4].map((at) => referenceAt(columns, at));
    return {
      ...(previous === undefined ? {} : { previous }),
      ...(monthBase === undefined ? {} : { monthBase }),
      ...(yearBase === undefined ? {} : { yearBase }),
    };
  }
}

function referenceAt(columns: readonly (number | null)[], at: number): ReferenceClose | undefined {
  const [day, close] = columns.slice(at, at + 2);
  if (typeof day !== 'number' || typeof close !== 'number') return undefined;
  return { day: day as EpochDay, close };
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
