import { addDays } from '../../domain/plain-date.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { FeedDeps } from '../feed-type.ts';
import { FeedFault } from '../feed.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { reject } from '../sample.ts';
import { chartPath, mapHistory } from './yahoo-mapper.ts';
import type { YahooSymbol } from './yahoo-mapper.ts';
import { requestHeaders, spacingMs } from './yahoo-request.ts';

/**
 * The daily history of Yahoo Finance, as traded, with its splits and dividends. A request reaches to the
 * present whatever its last day, because the source adjusts prices for all splits since.
 */
export function createYahooHistory(
  config: { readonly name: string; readonly url: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  symbols: ReadonlyMap<Ticker, YahooSymbol>,
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: [...symbols.keys()],
    extent: 'range',
    spacingMs,
    async fetch({ ticker, from, to }, signal) {
      const missing = { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      const yahoo = symbols.get(ticker);
      if (yahoo === undefined) return missing;
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const url = new URL(chartPath(yahoo), config.url);
      url.searchParams.set('period1', seconds(calendar.startOfDay(from)));
      const today = calendar.dateAt(clock.now());
      const end = addDays(to > today ? to : today, 1);
      url.searchParams.set('period2', seconds(calendar.startOfDay(end)));
      url.searchParams.set('interval', '1d');
      url.searchParams.set('includePrePost', 'false');
      url.searchParams.set('events', 'div,splits');
      const body = await bodyOf(url, signal);
      if (body === undefined) return missing;
      const { bars, actions, unread } = mapHistory(body, yahoo, {
        source: config.name,
        dateAt: (epochMs) => calendar.dateAt(epochMs),
      });
      const { closes, rejected } = closesOfBars(
        bars.filter(({ date }) => date === undefined || date <= to),
        { calendar, now: clock.now() },
      );
      const unreadEvents = unread.map((path) => reject('unintelligible', path));
      return { closes, rejected: [...rejected, ...unreadEvents], actions };
    },
  };

  /** Undefined for status 404, which is how the source says that it does not have a symbol. */
  async function bodyOf(url: URL, signal: AbortSignal): Promise<unknown> {
    try {
      const fetched = await fetch({ url, headers: requestHeaders }, signal);
      return fetched.isUnchanged ? undefined : readJson(fetched);
    } catch (fault) {
      if (fault instanceof FeedFault && fault.code === 'invalid-request') return undefined;
      throw fault;
    }
  }
}

function seconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1_000));
}
