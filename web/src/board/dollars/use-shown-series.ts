import { useMemo } from 'preact/hooks';

import type { Bar } from '../../chart/drawing/bars.ts';
import { isInPesos } from '../../chart/figures/conversion.ts';
import type { SeriesStore } from '../../chart/series/series-store.ts';
import { useSeries } from '../../chart/series/use-series.ts';
import { instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import type { RangeCode } from '../../places/route.ts';
import { convertedBars } from './in-dollars.ts';

/** The bars of an instrument of a board, in its currency. They follow its quote. */
export function useShownSeries(
  store: SeriesStore,
  {
    ticker,
    range,
    live,
    isWanted,
  }: {
    readonly ticker: string;
    readonly range: RangeCode;
    readonly live: LiveQuotes;
    readonly isWanted: boolean;
  },
): { readonly bars: readonly Bar[] | undefined; readonly message: string | undefined } {
  const { source } = live;
  const quote = (source?.live ?? live).quote(ticker).peek();
  const own = useSeries(store, { ticker, range, quote, isWanted });
  const isConverted = source !== undefined && isInPesos(instruments.value.get(ticker));
  const dollar = useSeries(store, {
    ticker: source?.dollar ?? ticker,
    range,
    quote: isConverted ? source.dollarQuote.peek() : undefined,
    isWanted: isWanted && isConverted,
  });
  const [bars, dollarBars] = [own.series?.bars, dollar.series?.bars];
  const shown = useMemo(() => {
    if (!isConverted || bars === undefined) return bars;
    return dollarBars === undefined ? undefined : convertedBars(bars, dollarBars);
  }, [bars, dollarBars, isConverted]);
  return { bars: shown, message: own.message ?? (isConverted ? dollar.message : undefined) };
}
