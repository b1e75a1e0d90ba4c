import { makeLiveBar, msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { noReferences } from '../../domain/history/reference-closes.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { figuresOf } from './figures-of-bars.ts';

/**
 * Stores the quotes of a demonstration as if it had been running until an instant: each one has the open, the
 * range and the volume of the minutes of its session so far, and the bar of the last of them. So the first
 * update continues the session. Quotes that the feed continues without a gap stay: those of this minute and
 * of the one before.
 */
export async function seedQuotes(
  store: Pick<Store, 'quotes'>,
  {
    universe,
    bars,
    source,
    now,
  }: {
    readonly universe: Universe;
    /** The minutes until now. */
    readonly bars: Pick<BarReader, 'readBars'>;
    readonly source: QuoteSource;
    /** In epoch milliseconds. */
    readonly now: number;
  },
): Promise<void> {
  const stored = await store.quotes.readAll();
  const quotesBefore = new Map(stored.map((quote) => [quote.ticker, quote]));
  let version = stored.reduce((latest, one) => Math.max(latest, one.version), 0);
  const continuedSince = (Math.floor(now / msPerMinute) - 1) * msPerMinute;
  const calendars = new MarketCalendars(universe);
  const quotes: StoredQuote[] = [];
  // One market after the other: the instruments of a market share the paths of their prices.
  const byMarket = universe.instruments.toSorted((a, b) => compare(a.market, b.market));
  for (const instrument of byMarket) {
    const { ticker } = instrument;
    const date = calendars.of(instrument).sessionAt(now);
    const before = quotesBefore.get(ticker);
    const held = before?.session;
    if (held !== undefined && held.sessionDate > date) continue;
    if (held?.sessionDate === date && (held.asOf ?? 0) >= continuedSince) continue;
    const day = toEpochDay(date);
    const seed = seedOf(date, await bars.readBars(ticker, { from: day, to: day }));
    const quote =
      seed === undefined
        ? withoutBar(before)
        : { ticker, references: noReferences, source, ...seed };
    if (quote === undefined) continue;
    version += 1;
    quotes.push({ ...quote, version });
  }
  if (quotes.length > 0) await store.quotes.commit({ quotes, closes: [] });
}

/** A session under way, from its minutes so far. Undefined in its first minute. */
function seedOf(
  sessionDate: PlainDate,
  bars: readonly Bar[],
): Pick<StoredQuote, 'session' | 'bar'> | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { open, high, low, close, volume } = figuresOf(bars);
  const session = {
    sessionDate,
    // The last millisecond of the minute: at midnight, the next one is of the next day.
    asOf: (last.minute + 1) * msPerMinute - 1,
    last: close,
    open,
    openAt: first.minute * msPerMinute,
    high,
    low,
    volume,
    isInHistory: false,
    historyClose: null,
  };
  const volumeFrom = (volume ?? 0) - (last.volume ?? 0);
  // The history of bars has it already.
  const bar = makeLiveBar({ ...last, volumeFrom, volumeTo: volume, isRecorded: true });
  return { session, bar };
}

/**
 * A quote of an earlier session without its bar under way. The minute of this bar is not whole, so the
 * computed one replaces it. Undefined when there is no such bar.
 */
function withoutBar(quote: StoredQuote | undefined): StoredQuote | undefined {
  return quote?.bar === undefined ? undefined : { ...quote, bar: undefined };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
