import { addDays } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { HistorySource } from '../history-source.ts';
import { createDailyHistory, epochSeconds } from '../net/daily-history.ts';
import type { HistoryDeps } from '../net/daily-history.ts';
import { chartPath, mapBars } from './yahoo-mapper.ts';
import type { YahooSymbol } from './yahoo-mapper.ts';
import { requestHeaders, spacingMs } from './yahoo-request.ts';

/** The daily history of Yahoo Finance. The source adjusts it for splits, and not for dividends. */
export function createYahooHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps,
  symbols: ReadonlyMap<Ticker, YahooSymbol>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...symbols.keys()],
    extent: 'range',
    spacingMs,
    // It answers 404 for a symbol that it does not have.
    refusesUnknown: true,
    async bars({ ticker, from, to, calendar, read }) {
      const yahoo = symbols.get(ticker);
      if (yahoo === undefined) return undefined;
      const url = new URL(chartPath(yahoo), config.url);
      url.searchParams.set('period1', epochSeconds(calendar.startOfDay(from)));
      url.searchParams.set('period2', epochSeconds(calendar.startOfDay(addDays(to, 1))));
      url.searchParams.set('interval', '1d');
      url.searchParams.set('includePrePost', 'false');
      const body = await read(url, requestHeaders);
      return { bars: mapBars(body, yahoo, (epochMs) => calendar.dateAt(epochMs)) };
    },
  });
}
