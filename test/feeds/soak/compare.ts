import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import { percentChange, roundHalfAwayFromZero } from '../../../src/domain/values/rounding.ts';
import { minuteMs, opensAt } from './timetable.ts';
import { sessionBefore } from './rows.ts';
import {
  derived,
  sketchOf,
  type Trade,
  type TradedTicker,
  type TrueMarket,
} from './true-market.ts';

/** What was shown of a session before. */
export interface Shown {
  /** The instant of its first price. */
  readonly since: number;
  readonly high: number;
  readonly low: number;
}

/** What has been shown of a session, with one more quote. Undefined before the session. */
export function withQuote(shown: Shown | undefined, quote: Quote): Shown | undefined {
  const { asOf = 0, last, high = last, low = last } = quote;
  if (asOf < opensAt) return shown;
  return { since: shown?.since ?? asOf, high, low };
}

/** What is wrong about a quote, compared with the true market as of the instant of the quote. */
export function mistakesOf(
  ticker: TradedTicker,
  quote: Quote,
  { market, shown }: { readonly market: TrueMarket; readonly shown: Shown | undefined },
): readonly string[] {
  const { asOf = 0, last, open, high = last, low = last, volume, bar } = quote;
  if (asOf < opensAt) return mistakesBefore(ticker, quote, market);
  const trade = market.tradeAt(ticker, asOf);
  if (trade === undefined) return [`a price of ${last} before the first trade`];
  const mistakes: string[] = [];
  const check = (isRight: boolean, what: string): void => {
    if (!isRight) mistakes.push(what);
  };
  check(last === trade.price, `last ${last} instead of ${trade.price}`);
  // A source without a range gives the prices that the service has seen.
  check(isPrice(market, ticker, asOf, high), `a high of ${high} that never was`);
  check(isPrice(market, ticker, asOf, low), `a low of ${low} that never was`);
  check(last <= high && high <= trade.high, `high ${high} instead of ${trade.high}`);
  check(trade.low <= low && low <= last, `low ${low} instead of ${trade.low}`);
  // What was right stays within the range.
  check(high >= (shown?.high ?? high), `high ${high} after ${shown?.high}`);
  check(low <= (shown?.low ?? low), `low ${low} after ${shown?.low}`);
  if (open !== undefined) {
    const since = shown?.since ?? asOf;
    check(isPrice(market, ticker, since, open), `an open of ${open} that never was at first`);
    check(low <= open && open <= high, `open ${open} outside ${low} to ${high}`);
  }
  if (volume !== null && volume !== 0) check(volume === trade.volume, `volume ${volume}`);
  mistakes.push(...mistakesInBases(ticker, quote, market));
  if (bar !== undefined) mistakes.push(...mistakesInBar(ticker, bar, market));
  return mistakes;
}

/** Before the first price of a session, the session before is shown as it is stored. */
function mistakesBefore(ticker: TradedTicker, quote: Quote, market: TrueMarket): readonly string[] {
  const stored = market.storedClosesOf(ticker)?.previous;
  if (stored === undefined || quote.last !== stored) {
    return [`${quote.last} instead of the stored close ${stored}`];
  }
  const { open, high, low } = sessionBefore(stored);
  const isRight = quote.open === open && quote.high === high && quote.low === low;
  return isRight ? [] : [`range ${quote.open} ${quote.high} ${quote.low} of the session before`];
}

/** Nothing may rest on a wrong close; the true ones must be used where all of them are stored. */
function mistakesInBases(
  ticker: TradedTicker,
  { asOf = 0, last, previousClose, change, monthToDatePct, yearToDatePct, setAside }: Quote,
  market: TrueMarket,
): readonly string[] {
  const { stored, jump } = sketchOf(ticker);
  // A close that prices contradict is set aside (contract 2.1.9), after a real jump too.
  const isJumped = jump !== undefined && asOf >= market.jumpsAt;
  const isSetAside = setAside !== undefined;
  const { previous, monthBase, yearBase } = market.closesOf(ticker);
  const shown = [previousClose, change?.value ?? null, monthToDatePct, yearToDatePct];
  const day = percentChange(previous, last);
  const [month, year] = [percentChange(monthBase, last), percentChange(yearBase, last)];
  const names = ['previousClose', 'change', 'monthToDatePct', 'yearToDatePct'];
  const expected =
    stored === undefined
      ? isSetAside && isJumped
        ? [undefined, null, null, null]
        : [previous, day, month, year]
      : stored === 'none'
        ? [previousClose === undefined ? undefined : previous, previousClose && day, null, null]
        : 'last' in stored
          ? [undefined, null, month, year]
          : [undefined, null, null, null];
  return names.flatMap((name, index) => {
    const [is, should] = [shown[index] ?? null, expected[index] ?? null];
    return is === should ? [] : [`${name} ${is} instead of ${should}`];
  });
}

/** What is wrong about a bar of a minute. */
export function mistakesInBar(
  ticker: TradedTicker,
  { minute, open, high, low, last }: Bar,
  market: TrueMarket,
): readonly string[] {
  const [from, until] = [minute * minuteMs, (minute + 1) * minuteMs - 1];
  const first = market.tradeAt(ticker, from);
  const trades = market
    .tradesOf(ticker)
    .slice(Math.max(0, (first?.count ?? 1) - 1), market.tradeAt(ticker, until)?.count ?? 0);
  const prices = new Set(trades.map(({ price }) => price));
  const wrong = Object.entries({ open, high, low, last }).filter(([, price]) => !prices.has(price));
  const isOrdered = low <= Math.min(open, last) && Math.max(open, last) <= high;
  return [
    ...wrong.map(
      ([name, price]) => `${name} ${price} of the bar of ${new Date(from).toISOString()}`,
    ),
    ...(isOrdered ? [] : [`range ${low} to ${high} of a bar with ${open} and ${last}`]),
  ];
}

/** What is wrong about the derived instrument, by the inputs that are shown. */
export function mistakesInDerived(
  quote: Quote,
  shown: (ticker: TradedTicker) => Quote | undefined,
  market: TrueMarket,
): readonly string[] {
  const { numerator, denominator } = derived;
  const [above, below] = [shown(numerator), shown(denominator)];
  const { asOf = 0, last, high = last, low = last } = quote;
  if (asOf < opensAt) return [];
  const expected = roundHalfAwayFromZero((above?.last ?? NaN) / (below?.last ?? NaN), 2);
  const [most, least] = [market.tradeAt(numerator, asOf), market.tradeAt(denominator, asOf)];
  const highest = ((most?.high ?? NaN) / (least?.low ?? NaN)) * 1.00001;
  const lowest = ((most?.low ?? NaN) / (least?.high ?? NaN)) * 0.99999;
  const isInRange = lowest - 0.01 <= low && low <= last && last <= high && high <= highest + 0.01;
  return [
    ...(last === expected ? [] : [`${last} instead of ${expected}`]),
    ...(isInRange ? [] : [`range ${low} to ${high} instead of ${lowest} to ${highest}`]),
  ];
}

/** Whether a price is one of the session until an instant. */
function isPrice(market: TrueMarket, ticker: TradedTicker, until: number, price: number): boolean {
  const { count } = market.tradeAt(ticker, until) ?? ({ count: 0 } satisfies Partial<Trade>);
  return pricesOf(market, ticker).has(price) && isKnown(market.tradesOf(ticker), count, price);
}

const known = new WeakMap<readonly Trade[], ReadonlyMap<number, number>>();

function pricesOf(market: TrueMarket, ticker: TradedTicker): ReadonlyMap<number, number> {
  const trades = market.tradesOf(ticker);
  const prices = known.get(trades);
  if (prices !== undefined) return prices;
  const first = new Map<number, number>();
  for (const { price, count } of trades) if (!first.has(price)) first.set(price, count);
  known.set(trades, first);
  return first;
}

function isKnown(trades: readonly Trade[], count: number, price: number): boolean {
  return (known.get(trades)?.get(price) ?? Infinity) <= count;
}
