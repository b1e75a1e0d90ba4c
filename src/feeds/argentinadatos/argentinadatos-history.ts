import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { FeedDeps } from '../feed-type.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson, requireList } from '../net/read-body.ts';
import { reject } from '../sample.ts';
import { mapSeries, seriesOf } from './argentinadatos-mapper.ts';

/** The source publishes no limit. */
const spacingMs = 1_000;

/** The daily history of argentinadatos.com. A response is always the whole series. */
export function createArgentinadatosHistory(
  config: { readonly name: string; readonly url: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  tickers: Iterable<Ticker>,
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: [...tickers],
    extent: 'whole',
    spacingMs,
    async fetch({ ticker }, signal) {
      const series = seriesOf(ticker);
      if (series === undefined) {
        return { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      }
      const fetched = await fetch({ url: new URL(series.path, config.url) }, signal);
      const rows = requireList(fetched.isUnchanged ? undefined : readJson(fetched));
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const { bars, rejected } = mapSeries(rows, { field: series.field, calendar });
      const mapped = closesOfBars(bars, { calendar, now: clock.now() });
      return { closes: mapped.closes, rejected: [...rejected, ...mapped.rejected] };
    },
  };
}
