import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { FeedDeps } from '../feed-type.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { reject } from '../sample.ts';
import { mapHours, restPairOf } from './kraken-mapper.ts';

/** The source allows about one request a second. */
const spacingMs = 1_500;

/** Daily bars of the source are days of UTC. Of its hours, days of any market can be composed. */
const intervalMinutes = 60;

/** The daily history of Kraken: the last thirty days, because the source sends the last 720 bars. */
export function createKrakenHistory(
  config: { readonly name: string; readonly historyUrl: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  tickers: ReadonlySet<Ticker>,
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: [...tickers],
    extent: 'whole',
    spacingMs,
    async fetch({ ticker }, signal) {
      const missing = { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      const pair = restPairOf(ticker);
      if (pair === undefined) return missing;
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const url = new URL('/0/public/OHLC', config.historyUrl);
      url.searchParams.set('pair', pair);
      url.searchParams.set('interval', String(intervalMinutes));
      const fetched = await fetch({ url }, signal);
      const bars = mapHours(fetched.isUnchanged ? undefined : readJson(fetched), calendar);
      return bars === undefined ? missing : closesOfBars(bars, { calendar, now: clock.now() });
    },
  };
}
