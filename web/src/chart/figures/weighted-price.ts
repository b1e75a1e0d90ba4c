import type { Quote } from '../../market/api/quote.ts';
import type { Bar } from '../drawing/bars.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import type { Point } from '../drawing/chart-content.ts';

/**
 * The volume-weighted price (VWAP) of a session up to each of its bars: Σ(typical price × volume) ÷
 * Σ volume, where the typical price of a bar is the mean of its high, low and close. A bar without a
 * volume adds nothing. Before the first volume of a session there is no value, so a series without
 * volumes has none.
 */
export function weightedPrices(bars: readonly Bar[]): readonly Point[] {
  let day = '';
  let amount = 0;
  let volume = 0;
  return bars.flatMap((bar) => {
    if (bar.day !== day) [day, amount, volume] = [bar.day, 0, 0];
    amount += typicalPrice(bar) * (bar.volume ?? 0);
    volume += bar.volume ?? 0;
    return volume > 0 ? [{ time: bar.time, value: amount / volume }] : [];
  });
}

function typicalPrice({ close, range }: Bar): number {
  return range === undefined ? close : (range.high + range.low + close) / 3;
}

/** The fields of a quote that its mean price needs. */
export type TradedQuote = Pick<Quote, 'monto' | 'volumen' | 'minimo' | 'maximo'>;

/**
 * The exact mean price of the session of a quote: amount ÷ volume, for the quantity that a price is for
 * (`precioPor` of the contract: 100 for bonds that are quoted per 100). Undefined if one of them is not
 * known, or if nothing has traded. A mean that is not between the low and the high of the session shows
 * that the source counts the amount or the volume in other units, so it is undefined too.
 */
export function meanPrice(
  { monto, volumen, minimo, maximo }: TradedQuote,
  pricePer: number | undefined,
): number | undefined {
  if (monto === undefined || volumen === null || pricePer === undefined) return undefined;
  if (minimo === undefined || maximo === undefined || volumen <= 0) return undefined;
  const mean = (monto / volumen) * pricePer;
  // The amount of a source may be rounded to whole units of money.
  const rounding = pricePer / volumen;
  return mean >= minimo - rounding && mean <= maximo + rounding ? mean : undefined;
}

/** Whether a place can show the volume-weighted price: of one instrument, on the chart of one day. */
export function canBeWeighted({ range, compared }: InstrumentPlace): boolean {
  return range === '1d' && compared.length === 0;
}

/** Whether a place shows the volume-weighted price. */
export function isWeightedDay(place: InstrumentPlace): boolean {
  return place.isWeighted && canBeWeighted(place);
}
