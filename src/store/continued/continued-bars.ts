import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { BarReader } from '../contract/bar-store.ts';

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
