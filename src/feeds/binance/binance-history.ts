import { addDays } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistorySource } from '../contract/history-source.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { createDailyHistory, type HistoryDeps } from '../net/daily-history.ts';
import { mapKlines, symbolOf } from './binance-mapper.ts';

/** The source allows 3,000 of these requests a minute. */
const spacingMs = 250;

/** The maximum number of days of one response. */
const daysMax = 1_000;

const dayMs = 86_400_000;

/** The daily history of Binance, in the days of the market of the instrument. */
export function createBinanceHistory(
  config: { readonly name: string; readonly historyUrl: string },
  deps: HistoryDeps,
  tickers: ReadonlySet<Ticker>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...tickers],
    spacingMs,
    refusesUnknown: true,
    async bars({ ticker, from, to, calendar, read }) {
      const symbol = symbolOf(ticker);
      if (symbol === undefined) return undefined;
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
        const page = mapKlines(await read(url), calendar);
        bars.push(...page.bars);
        // Each page begins after the one before it, so the pages end.
        if (page.bars.length < daysMax || page.lastAt < startsAt) break;
        startsAt = page.lastAt + dayMs;
      }
      return { bars };
    },
  });
}

/** The time zone in whose 00:00 the instant is, as the source writes it: `-3:00`. */
function offsetOf(startOfDay: number): string {
  const intoDay = Math.round((startOfDay % dayMs) / 60_000);
  // 00:00 is at 03:00 UTC three hours west of it, and at 21:00 UTC three hours east of it.
  const minutes = intoDay <= 720 ? -intoDay : 1_440 - intoDay;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : ''}${hours}:${String(rest).padStart(2, '0')}`;
}
