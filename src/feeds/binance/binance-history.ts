import { addDays } from '../../domain/plain-date.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { FeedDeps } from '../feed-type.ts';
import { FeedFault } from '../feed.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { reject } from '../sample.ts';
import { mapKlines, symbolOf } from './binance-mapper.ts';

/** The source allows 3,000 of these requests a minute. */
const spacingMs = 250;

/** The maximum number of days of one response. */
const daysMax = 1_000;

const dayMs = 86_400_000;

/** The daily history of Binance, in the days of the market of the instrument. */
export function createBinanceHistory(
  config: { readonly name: string; readonly historyUrl: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  tickers: ReadonlySet<Ticker>,
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: [...tickers],
    extent: 'range',
    spacingMs,
    async fetch({ ticker, from, to }, signal) {
      const missing = { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      const symbol = symbolOf(ticker);
      if (symbol === undefined) return missing;
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const endsAt = calendar.startOfDay(addDays(to, 1)) - 1;
      const bars: SentBar[] = [];
      for (let startsAt = calendar.startOfDay(from); startsAt <= endsAt;) {
        const url = new URL('/api/v3/klines', config.historyUrl);
        url.searchParams.set('symbol', symbol);
        url.searchParams.set('interval', '1d');
        url.searchParams.set('timeZone', offsetOf(startsAt));
        url.searchParams.set('startTime', String(startsAt));
        url.searchParams.set('endTime', String(endsAt));
        url.searchParams.set('limit', String(daysMax));
        const body = await bodyOf(url, signal);
        if (body === undefined) return missing;
        const page = mapKlines(body, calendar);
        bars.push(...page.bars);
        // Each page begins after the one before it, so the pages end.
        if (page.bars.length < daysMax || page.lastAt < startsAt) break;
        startsAt = page.lastAt + dayMs;
      }
      return closesOfBars(bars, { calendar, now: clock.now() });
    },
  };

  /** Undefined for a symbol that the source does not have. */
  async function bodyOf(url: URL, signal: AbortSignal): Promise<unknown> {
    try {
      const fetched = await fetch({ url }, signal);
      return fetched.isUnchanged ? undefined : readJson(fetched);
    } catch (fault) {
      if (fault instanceof FeedFault && fault.code === 'invalid-request') return undefined;
      throw fault;
    }
  }
}

/** The time zone in whose 00:00 the instant is, as the source writes it: `-3:00`. */
function offsetOf(startOfDay: number): string {
  const intoDay = Math.round((startOfDay % dayMs) / 60_000);
  // 00:00 is at 03:00 UTC three hours west of it, and at 21:00 UTC three hours east of it.
  const minutes = intoDay <= 720 ? -intoDay : 1_440 - intoDay;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : ''}${hours}:${String(rest).padStart(2, '0')}`;
}
