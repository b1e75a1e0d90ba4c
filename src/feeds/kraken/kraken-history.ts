import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, type HistoryDeps } from '../net/daily-history.ts';
import { mapHours, restPairOf } from './kraken-mapper.ts';

/** The source allows about one request a second. */
const spacingMs = 1_500;

/** Daily bars of the source are days of UTC. Of its hours, days of any market can be composed. */
const intervalMinutes = 60;

/** The daily history of Kraken: the last thirty days, because the source sends the last 720 bars. */
export function createKrakenHistory(
  config: { readonly name: string; readonly historyUrl: string },
  deps: HistoryDeps,
  tickers: ReadonlySet<Ticker>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...tickers],
    spacingMs,
    async bars({ ticker, calendar, read }) {
      const pair = restPairOf(ticker);
      if (pair === undefined) return undefined;
      const url = new URL('/0/public/OHLC', config.historyUrl);
      url.searchParams.set('pair', pair);
      url.searchParams.set('interval', String(intervalMinutes));
      const bars = mapHours(await read(url), calendar);
      return bars && { bars };
    },
  });
}
