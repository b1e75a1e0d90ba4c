import type { Instrument } from '../../domain/instrument.ts';
import { addDays } from '../../domain/plain-date.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { FeedDeps } from '../feed-type.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { mapHistory } from './byma-mapper.ts';
import { pathOf, requestHeaders, spacingMs } from './byma-request.ts';

/** The daily history of BYMA Open Data: about the last two years. */
export function createBymaHistory(
  config: { readonly name: string; readonly url: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  instruments: readonly Instrument[],
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: instruments.map(({ ticker }) => ticker),
    extent: 'range',
    spacingMs,
    async fetch({ ticker, from, to }, signal) {
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const url = new URL(pathOf('chart/historical-series/history'), config.url);
      // The term of settlement is part of the symbol.
      url.searchParams.set('symbol', `${ticker} 24HS`);
      url.searchParams.set('resolution', 'D');
      url.searchParams.set('from', seconds(calendar.startOfDay(from)));
      url.searchParams.set('to', seconds(calendar.startOfDay(addDays(to, 1)) - 1_000));
      const fetched = await fetch({ url, headers: requestHeaders(config.url) }, signal);
      const body = fetched.isUnchanged ? undefined : readJson(fetched);
      const bars = mapHistory(body, (epochMs) => calendar.dateAt(epochMs));
      return closesOfBars(bars, { calendar, now: clock.now() });
    },
  };
}

function seconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1_000));
}
