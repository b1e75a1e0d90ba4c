import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { MarketState, Quote, InstrumentInfo } from './api/quote.ts';
import { silentSince } from './connection.ts';
import { markets, lookedAt } from './health-watch.ts';
import { instruments } from './instruments.ts';
import { quoteInstant } from './format/buenos-aires.ts';

/** What is known of the session of a quote. */
export type Freshness =
  /** It belongs to the session of its market that is under way, or to the last one. */
  | 'current'
  /** It belongs to a session before that. */
  | 'earlier'
  /** There is no quote, the service or the source of the price is silent, or the market is not known. */
  | 'unknown';

/**
 * The freshness of a quote, for every view: the table, the map, the wall, the summary and the page of the
 * instrument. What reads it is redrawn when it changes.
 */
export function freshnessOf(quote: Pick<Quote, 'especie' | 'fecha'> | undefined): Freshness {
  if (quote === undefined) return 'unknown';
  const { especie, fecha } = quote;
  const isStale = instruments.value.get(especie)?.atrasada === true;
  return freshnessIn(marketOf(especie), fecha, isStale || silentSince.value !== undefined);
}

/** The freshness of a quote of a session day in its market. */
export function freshnessIn(
  market: Pick<MarketState, 'rueda'> | undefined,
  day: string,
  isSilent: boolean,
): Freshness {
  if (market === undefined || isSilent) return 'unknown';
  return day < market.rueda ? 'earlier' : 'current';
}

/** The state of the market of an instrument. Undefined while it is not known. */
export function marketOf(ticker: string): MarketState | undefined {
  return markets.value.get(instruments.value.get(ticker)?.mercado ?? '');
}

const minuteMs = 60_000;

/** The age from which a price of an open session shows it, in milliseconds. The delay of its source does not count. */
const shownMs = 2 * minuteMs;

/** The age of a price, in milliseconds, without the delay of its source. Undefined without a time. */
export function ageOf(
  { fecha, hora }: Pick<Quote, 'fecha' | 'hora'>,
  info: Pick<InstrumentInfo, 'demoraMinutos'> | undefined,
  now: number,
): number | undefined {
  if (hora === undefined) return undefined;
  return now - quoteInstant(fecha, hora) - (info?.demoraMinutos ?? 0) * minuteMs;
}

/** An age that is worth a warning: `hace 3 min`, `hace 2 h`. Undefined below two minutes. */
export function ageText(ageMs: number | undefined): string | undefined {
  if (ageMs === undefined || ageMs < shownMs) return undefined;
  const minutes = Math.floor(ageMs / minuteMs);
  return minutes < 60 ? `hace ${minutes} min` : `hace ${Math.floor(minutes / 60)} h`;
}

/** The age of the price of an instrument whose market is open. What reads it is redrawn when the text changes. */
export function useAgeText(quote: Quote | undefined): string | undefined {
  const text = useMemo(
    () =>
      computed(() => {
        if (quote === undefined || marketOf(quote.especie)?.estado !== 'abierto') return undefined;
        if (freshnessOf(quote) === 'earlier') return undefined;
        return ageText(ageOf(quote, instruments.value.get(quote.especie), lookedAt.value));
      }),
    [quote?.especie, quote?.fecha, quote?.hora],
  );
  return text.value;
}

/** The number of ages from which the usual pause of a panel is taken. */
const recentCount = 10;

/** A panel is quiet if its newest price is older than this many usual pauses. */
const pausesMin = 10;

/** The minimum age of the newest price of a quiet panel, in milliseconds. */
const quietMsMin = 3 * minuteMs;

/**
 * The age of the newest price of a panel, if nothing has moved for much longer than usual: the usual pause is the mean
 * time between its most recent prices. Undefined otherwise, and for fewer than five prices.
 *
 * @param ages of the prices of open markets, in milliseconds.
 */
export function quietFor(ages: readonly number[]): number | undefined {
  const recent = ages.toSorted((a, b) => a - b).slice(0, recentCount);
  const [newest] = recent;
  const oldest = recent.at(-1);
  if (newest === undefined || oldest === undefined || recent.length < 5) return undefined;
  const pauseMs = (oldest - newest) / (recent.length - 1);
  return newest >= Math.max(quietMsMin, pausesMin * pauseMs) ? newest : undefined;
}
