import { computed, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { Bar } from '../../chart/drawing/bars.ts';
import { dollarOf, dollarsAt, isInPesos } from '../../chart/figures/conversion.ts';
import type { InstrumentInfo, Quote } from '../../market/api/quote.ts';
import { instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { stepAt, type SessionPath } from '../../market/session-path.ts';
import { useLiveQuotes } from '../../market/use-live-quotes.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';

/** The quotes and paths of a board in the chosen currency. The prices of the dollar come from the same stream. */
export function useBoardInDollars(own: LiveQuotes, currency: CurrencyCode): LiveQuotes {
  const ticker = dollarOf(currency);
  const dollar = useLiveQuotes(ticker === undefined ? undefined : { tickers: [ticker] });
  return useMemo(
    () => (ticker === undefined ? own : liveInDollars(own, ticker, dollar)),
    [own, ticker, dollar],
  );
}

/**
 * The quotes of a board in dollars. They follow those in pesos, and those of the dollar. In the path of a session,
 * a price in pesos is divided by that of the dollar at the end of its step.
 */
function liveInDollars(
  live: LiveQuotes,
  dollar: string,
  dollarLive: LiveQuotes | undefined,
): LiveQuotes {
  const dollarQuote = computed(() => dollarLive?.quote(dollar).value);
  const quote = converter((source: Quote | undefined, ticker) => {
    if (source === undefined) return undefined;
    return quoteInDollars(source, instruments.value.get(ticker), dollarQuote.value);
  });
  const path = converter((source: SessionPath | undefined, ticker) => {
    const info = instruments.value.get(ticker);
    if (source === undefined || info === undefined || !isInPesos(info)) return source;
    return pathInDollars(source, dollarLive?.path(dollar).value);
  });
  const quoteOf = (ticker: string) => quote(live.quote(ticker), ticker);
  return {
    tickers: live.tickers,
    isLoaded: live.isLoaded,
    moment: live.moment,
    quote: quoteOf,
    path: (ticker) => path(live.path(ticker), ticker),
    source: { live, dollar, dollarQuote },
    rows: (order = live.tickers.value) =>
      order.map((ticker) => ({ ticker, quote: quoteOf(ticker).peek() })),
  };
}

/** Converts the values of signals. The same signal gives the same one again. */
function converter<T>(convert: (value: T, ticker: string) => T) {
  const converted = new WeakMap<object, ReadonlySignal<T>>();
  return (source: ReadonlySignal<T>, ticker: string): ReadonlySignal<T> => {
    const known = converted.get(source) ?? computed(() => convert(source.value, ticker));
    converted.set(source, known);
    return known;
  };
}

/** A path in dollars. Undefined if the dollar has none of the same session. */
export function pathInDollars(
  path: SessionPath,
  dollar: SessionPath | undefined,
): SessionPath | undefined {
  if (dollar === undefined || dollar.day !== path.day) return undefined;
  const { openMinute, stepMinutes } = path;
  let latest: number | null = null;
  const known = dollar.prices.map((price) => {
    latest = price ?? latest;
    return latest;
  });
  const prices = path.prices.map((price, step) => {
    const end = openMinute + (step + 1) * stepMinutes - 1;
    const by = known[Math.min(stepAt(dollar, end), known.length - 1)] ?? null;
    return price === null || by === null ? null : price / by;
  });
  return { ...path, prices };
}

/**
 * A quote in dollars, as a board shows it. Prices in other units than pesos stay as they are.
 *
 * The price, the bid and the ask are divided by the latest price of the dollar, and the previous close by that of the
 * dollar. The change follows from both, and the changes of the month and of the year from those of the dollar. The
 * open, the low and the high are absent, because the price of the dollar at their moments is not known. Volume and
 * amount stay.
 *
 * @returns undefined if the price is in pesos, and the dollar has no price of the same session.
 */
export function quoteInDollars(
  quote: Quote,
  info: Pick<InstrumentInfo, 'moneda'> | undefined,
  dollar: Quote | undefined,
): Quote | undefined {
  // Without the list of instruments, no price is known to be in pesos or not.
  if (info === undefined) return undefined;
  if (!isInPesos(info)) return quote;
  if (dollar === undefined || dollar.fecha !== quote.fecha || dollar.ultimo <= 0) return undefined;
  const {
    apertura: _open,
    minimo: _low,
    maximo: _high,
    anterior: before,
    compra: bid,
    venta: ask,
    ...rest
  } = quote;
  const anterior = divided(before, dollar.anterior);
  const compra = divided(bid, dollar.ultimo);
  const venta = divided(ask, dollar.ultimo);
  return {
    ...rest,
    ultimo: rounded(quote.ultimo / dollar.ultimo),
    variacion: compound(change(quote.ultimo, before), change(dollar.ultimo, dollar.anterior)),
    varMTD: compound(quote.varMTD, dollar.varMTD),
    varYTD: compound(quote.varYTD, dollar.varYTD),
    ...(anterior === undefined ? {} : { anterior }),
    ...(compra === undefined ? {} : { compra }),
    ...(venta === undefined ? {} : { venta }),
  };
}

/** A price in dollars, with four significant digits and at least two decimals. */
function rounded(price: number): number {
  const size = Math.abs(price);
  const decimals = size === 0 ? 2 : Math.max(2, 3 - Math.floor(Math.log10(size)));
  return Number(price.toFixed(Math.min(decimals, 12)));
}

function divided(price: number | undefined, by: number | undefined): number | undefined {
  return price === undefined || by === undefined || by <= 0 ? undefined : rounded(price / by);
}

function change(price: number, before: number | undefined): number | null {
  return before === undefined || before <= 0 ? null : (price / before - 1) * 100;
}

/** The change of a price in dollars, in percent with two decimals, from that in pesos and that of the dollar. */
function compound(own: number | null, ofDollar: number | null): number | null {
  if (own === null || ofDollar === null || ofDollar <= -100) return null;
  const value = ((1 + own / 100) / (1 + ofDollar / 100) - 1) * 100;
  return Math.round(value * 100) / 100;
}

/** Bars in dollars, each divided by the price of {@link dollarsAt}. Bars without one are left out. */
export function convertedBars(bars: readonly Bar[], dollars: readonly Bar[]): readonly Bar[] {
  const prices = dollarsAt(bars, dollars);
  return bars.flatMap((bar, at) => {
    const by = prices[at];
    if (by === undefined) return [];
    const converted = { ...bar, close: bar.close / by };
    if (bar.range === undefined) return [converted];
    const { open, high, low } = bar.range;
    return [{ ...converted, range: { open: open / by, high: high / by, low: low / by } }];
  });
}
