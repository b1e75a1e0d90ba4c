import { addDays } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, epochSeconds, type HistoryDeps } from '../net/daily-history.ts';
import { reject } from '../contract/sample.ts';
import { chartPath, mapHistory } from './yahoo-mapper.ts';
import type { YahooSymbol } from '../shapes/yahoo-symbols.ts';
import { requestHeaders, spacingMs } from './yahoo-request.ts';

/**
 * The daily history of Yahoo Finance, as traded, with its splits and dividends. A request reaches to the
 * present whatever its last day, because the source adjusts prices for all splits since.
 */
export function createYahooHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps,
  symbols: ReadonlyMap<Ticker, YahooSymbol>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...symbols.keys()],
    spacingMs,
    // It answers 404 for a symbol that it does not have.
    refusesUnknown: true,
    async bars({ ticker, from, to, calendar, dateAt, now, read }) {
      const yahoo = symbols.get(ticker);
      if (yahoo === undefined) return undefined;
      const url = new URL(chartPath(yahoo), config.url);
      const today = calendar.dateAt(now);
      const end = addDays(to > today ? to : today, 1);
      url.searchParams.set('period1', epochSeconds(calendar.startOfDay(from)));
      url.searchParams.set('period2', epochSeconds(calendar.startOfDay(end)));
      url.searchParams.set('interval', '1d');
      url.searchParams.set('includePrePost', 'false');
      url.searchParams.set('events', 'div,splits');
      const body = await read(url, requestHeaders);
      const { bars, actions, unread } = mapHistory(body, yahoo, { source: config.name, dateAt });
      return {
        bars: bars.filter(({ date }) => date === undefined || date <= to),
        rejected: unread.map((path) => reject('unintelligible', path)),
        actions,
      };
    },
  });
}
