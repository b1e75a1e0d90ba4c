import type { BarSeries, CloseSeries, DailyClose } from '../../domain/history/daily-close.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { ReferenceClose, ReferenceCloses } from '../../domain/history/reference-closes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { CloseReader, DayRange, HistoryReader } from '../contract/history-store.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { BarReader } from '../contract/bar-store.ts';

/**
 * A history in which an instrument whose ticker has changed continues the closes of its earlier tickers.
 * Nothing is rewritten: closes remain stored under the ticker of their day. Where both tickers have a
 * close of one day before the change, that of the new ticker is used.
 */
export class ContinuedHistory implements HistoryReader, CloseReader {
  readonly #history: HistoryReader & CloseReader;
  readonly #actions: () => CorporateActions;

  /** @param actions gives the actions in force */
  constructor(history: HistoryReader & CloseReader, actions: () => CorporateActions) {
    this.#history = history;
    this.#actions = actions;
  }

  readSeries(ticker: Ticker, range: DayRange): Promise<CloseSeries> {
    const read: HistoryReader['readSeries'] = (...args) => this.#history.readSeries(...args);
    return continuedSeries(ticker, range, { actions: this.#actions(), read });
  }

  readBars(ticker: Ticker, range: DayRange): Promise<BarSeries> {
    const read: HistoryReader['readBars'] = (...args) => this.#history.readBars(...args);
    return continuedSeries(ticker, range, { actions: this.#actions(), read });
  }

  countCloses(tickers: readonly Ticker[], range: DayRange): Promise<readonly number[]> {
    return continuedCounts(tickers, {
      actions: this.#actions(),
      count: (own) => this.#history.countCloses(own, range),
      read: (ticker) => this.readSeries(ticker, range),
    });
  }

  async readCloses(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    const own = await this.#history.readCloses(ticker, range);
    const byDay = new Map<EpochDay, DailyClose>();
    for (const { ticker: name, before } of this.#actions().earlierTickers(ticker).toReversed()) {
      for (const close of await this.#history.readCloses(name, range)) {
        if (close.day < before) byDay.set(close.day, close);
      }
    }
    if (byDay.size === 0) return own;
    for (const close of own) byDay.set(close.day, close);
    return [...byDay.values()].sort((a, b) => a.day - b.day);
  }

  async latestCloses(tickers: readonly Ticker[]): Promise<ReadonlyMap<Ticker, DailyClose>> {
    const found = new Map(await this.#history.latestCloses(tickers));
    const actions = this.#actions();
    for (const ticker of tickers) {
      for (const { ticker: name, before } of actions.earlierTickers(ticker)) {
        if (found.has(ticker)) break;
        const latest = (await this.#history.latestCloses([name])).get(name);
        const close =
          latest === undefined || latest.day < before
            ? latest
            : await this.#lastBefore(name, before);
        if (close !== undefined) found.set(ticker, close);
      }
    }
    return found;
  }

  async referenceCloses(
    sessions: readonly { readonly ticker: Ticker; readonly sessionDate: PlainDate }[],
  ): Promise<readonly ReferenceCloses[]> {
    const own = await this.#history.referenceCloses(sessions);
    const actions = this.#actions();
    const all: ReferenceCloses[] = [];
    for (const [index, { ticker, sessionDate }] of sessions.entries()) {
      let references = own[index] ?? {};
      for (const { ticker: name, before } of actions.earlierTickers(ticker)) {
        const [earlier = {}] = await this.#history.referenceCloses([{ ticker: name, sessionDate }]);
        const last = await this.#lastBefore(name, before);
        references = laterOf(references, upTo(earlier, before, last));
      }
      all.push(references);
    }
    return all;
  }

  async changesSince(
    revision: number,
  ): Promise<{ readonly revision: number; readonly tickers: readonly Ticker[] }> {
    const changes = await this.#history.changesSince(revision);
    const actions = this.#actions();
    const tickers = new Set(changes.tickers);
    for (const ticker of changes.tickers) {
      for (const later of actions.laterTickers(ticker)) tickers.add(later);
    }
    return { revision: changes.revision, tickers: [...tickers] };
  }

  /** The last close of a ticker before a day. Another instrument may have received the ticker since. */
  async #lastBefore(ticker: Ticker, day: EpochDay): Promise<DailyClose | undefined> {
    const session = { ticker, sessionDate: fromEpochDay(day) };
    const [references] = await this.#history.referenceCloses([session]);
    const previous = references?.previous;
    return previous === undefined ? undefined : { ...previous, volume: null };
  }
}

/** The bases of an earlier ticker. A base from after the change becomes the last close before it. */
function upTo(
  references: ReferenceCloses,
  before: EpochDay,
  last: ReferenceClose | undefined,
): ReferenceCloses {
  const base = (one: ReferenceClose | undefined): ReferenceClose | undefined => {
    if (one === undefined || one.day < before) return one;
    return last === undefined ? undefined : { day: last.day, close: last.close };
  };
  return bases((name) => base(references[name]));
}

/** Of each base the one of the later day; of one day, the first. */
function laterOf(a: ReferenceCloses, b: ReferenceCloses): ReferenceCloses {
  return bases((name) => {
    const [one, other] = [a[name], b[name]];
    if (one === undefined || other === undefined) return one ?? other;
    return other.day > one.day ? other : one;
  });
}

function bases(
  baseOf: (name: keyof ReferenceCloses) => ReferenceClose | undefined,
): ReferenceCloses {
  const names: readonly (keyof ReferenceCloses)[] = ['previous', 'monthBase', 'yearBase'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const base = baseOf(name);
      return base === undefined ? [] : [[name, base]];
    }),
  );
}

/**
 * The closes of an instrument in a range. Before a change of its ticker they are those of its earlier ticker.
 * Where both tickers have a close of one day before the change, that of the new ticker is used.
 *
 * @param actions those with the changes of tickers
 * @param read gives the closes that are stored under one ticker
 */
export async function continuedSeries<Series extends CloseSeries>(
  ticker: Ticker,
  { from, to }: DayRange,
  {
    actions,
    read,
  }: {
    readonly actions: CorporateActions;
    readonly read: (ticker: Ticker, range: DayRange) => Promise<Series>;
  },
): Promise<Series> {
  let series = await read(ticker, { from, to });
  for (const { ticker: name, before } of actions.earlierTickers(ticker)) {
    const until = Math.min(to, before - 1) as EpochDay;
    if (until >= from) series = mergedSeries(series, await read(name, { from, to: until }));
  }
  return series;
}

/**
 * The number of closes of each instrument that {@link continuedSeries} gives. The closes of one that had another ticker
 * are read, because both tickers may have a close of one day.
 */
export async function continuedCounts(
  tickers: readonly Ticker[],
  {
    actions,
    count,
    read,
  }: {
    readonly actions: CorporateActions;
    /** Counts what is stored under each ticker. */
    readonly count: (tickers: readonly Ticker[]) => Promise<readonly number[]>;
    readonly read: (ticker: Ticker) => Promise<CloseSeries>;
  },
): Promise<readonly number[]> {
  const counts = [...(await count(tickers))];
  for (const [index, ticker] of tickers.entries()) {
    if (actions.earlierTickers(ticker).length > 0) counts[index] = (await read(ticker)).days.length;
  }
  return counts;
}

/** The rows of both series, ascending by day. Of one day, the row of the first is used. */
function mergedSeries<Series extends CloseSeries>(first: Series, second: Series): Series {
  if (second.days.length === 0) return first;
  const known = new Set<number>(first.days);
  const rows = [
    ...Array.from(first.days, (day, index) => ({ day, series: first, index })),
    ...Array.from(second.days, (day, index) => ({ day, series: second, index })).filter(
      ({ day }) => !known.has(day),
    ),
  ].sort((a, b) => a.day - b.day);
  const columns = Object.keys(first).map((name) => {
    const column = name as keyof CloseSeries;
    const values = rows.map(({ series, index }) => series[column][index] ?? Number.NaN);
    return [name, column === 'days' ? Int32Array.from(values) : Float64Array.from(values)];
  });
  return Object.fromEntries(columns) as Series;
}

/**
 * Bars in which an instrument whose ticker has changed continues those of its earlier tickers, as
 * {@link ContinuedHistory} does for closes. Nothing is rewritten. Of a day before the change on which both
 * tickers have bars, those of the new ticker are used.
 */
export class ContinuedBars implements BarReader {
  readonly #bars: BarReader;
  readonly #actions: () => CorporateActions;

  /** @param actions gives the actions in force */
  constructor(bars: BarReader, actions: () => CorporateActions) {
    this.#bars = bars;
    this.#actions = actions;
  }

  async readBars(
    ticker: Ticker,
    range: Parameters<BarReader['readBars']>[1],
  ): Promise<readonly Bar[]> {
    let bars = await this.#bars.readBars(ticker, range);
    for (const { ticker: name, before } of this.#actions().earlierTickers(ticker)) {
      const to = Math.min(range.to, before - 1) as EpochDay;
      if (to < range.from) continue;
      const earlier = await this.#bars.readBars(name, { ...range, to });
      const days = new Set(bars.map(({ day }) => day));
      const added = earlier.filter(({ day }) => !days.has(day));
      if (added.length > 0) bars = [...added, ...bars].toSorted((a, b) => a.minute - b.minute);
    }
    return bars;
  }

  async latestBarDay(ticker: Ticker): Promise<EpochDay | undefined> {
    const own = await this.#bars.latestBarDay(ticker);
    if (own !== undefined) return own;
    for (const { ticker: name, before } of this.#actions().earlierTickers(ticker)) {
      const latest = await this.#latestBefore(name, before);
      if (latest !== undefined) return latest;
    }
    return undefined;
  }

  /** The latest day with bars before a day. Another instrument may have received the ticker since. */
  async #latestBefore(ticker: Ticker, before: EpochDay): Promise<EpochDay | undefined> {
    const latest = await this.#bars.latestBarDay(ticker);
    if (latest === undefined || latest < before) return latest;
    const range = { from: (before - daysMax) as EpochDay, to: (before - 1) as EpochDay };
    return (await this.#bars.readBars(ticker, range)).at(-1)?.day;
  }
}

/** Maximum age of the bars that are looked for, in days. Bars of the last sessions are kept only. */
const daysMax = 400;
