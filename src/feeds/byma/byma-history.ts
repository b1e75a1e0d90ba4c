import type { Instrument } from '../../domain/instruments/instrument.ts';
import { addDays } from '../../domain/calendar/plain-date.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, epochSeconds, type HistoryDeps } from '../net/daily-history.ts';
import { mapHistory } from './byma-mapper.ts';
import { pathOf, requestHeaders, spacingMs } from './byma-request.ts';

/** The daily history of BYMA Open Data: about the last two years. */
export function createBymaHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps,
  instruments: readonly Instrument[],
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: instruments.map(({ ticker }) => ticker),
    spacingMs,
    async bars({ ticker, from, to, calendar, dateAt, read }) {
      const url = new URL(pathOf('chart/historical-series/history'), config.url);
      // The term of settlement is part of the symbol.
      url.searchParams.set('symbol', `${ticker} 24HS`);
      url.searchParams.set('resolution', 'D');
      url.searchParams.set('from', epochSeconds(calendar.startOfDay(from)));
      url.searchParams.set('to', epochSeconds(calendar.startOfDay(addDays(to, 1)) - 1_000));
      const body = await read(url, requestHeaders(config.url));
      return { bars: mapHistory(body, dateAt) };
    },
  });
}
