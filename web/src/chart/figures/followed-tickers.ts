import { instruments } from '../../market/instruments.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { dollarOf } from './conversion.ts';

/** The instruments of a chart, then the dollar of its currency: all whose prices it needs. */
export function followedTickers(place: InstrumentPlace): readonly string[] {
  const dollar = servedDollar(place);
  const tickers = [place.ticker, ...place.compared];
  return dollar === undefined || tickers.includes(dollar) ? tickers : [...tickers, dollar];
}

/** The dollar of the currency of a chart. Undefined if none is needed, or if the service has not got it. */
export function servedDollar({ currency }: Pick<InstrumentPlace, 'currency'>): string | undefined {
  const dollar = dollarOf(currency);
  return dollar !== undefined && instruments.value.has(dollar) ? dollar : undefined;
}
