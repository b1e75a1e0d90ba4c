import type { PlainDate } from '../../domain/plain-date.ts';
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
import type { Rejected } from '../feed.ts';
import { readSeries, seriesOf } from './bcra-mapper.ts';
import type { BcraSeries } from './bcra-mapper.ts';

/** The source publishes no limit. */
const spacingMs = 1_000;

/** More pages than the longest series has. The daily series begin in 1996. */
const pagesMax = 40;

/** The daily history of the series of the central bank, since each of them begins. */
export function createBcraHistory(
  config: { readonly name: string; readonly url: string },
  deps: Pick<FeedDeps, 'universe' | 'clock' | 'pause' | 'fetchLimits'>,
  tickers: Iterable<Ticker>,
): HistorySource {
  const { universe, clock, pause, fetchLimits } = deps;
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: [...tickers],
    extent: 'range',
    spacingMs,
    async fetch({ ticker, from, to }, signal) {
      const series = seriesOf(ticker);
      if (series === undefined) {
        return { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      }
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      const today = calendar.dateAt(clock.now());
      if (from > today) return { closes: [], rejected: [] };
      // A date to come is answered with status 400.
      const range = { from, to: to < today ? to : today };
      const { bars, rejected } = await readPages(series, range, signal);
      const mapped = closesOfBars(bars, { calendar, now: clock.now() });
      return { closes: mapped.closes, rejected: [...rejected, ...mapped.rejected] };
    },
  };

  /** Reads all pages of a range. A page that fails fails the whole: a part would look complete. */
  async function readPages(
    series: BcraSeries,
    range: { readonly from: PlainDate; readonly to: PlainDate },
    signal: AbortSignal,
  ): Promise<{ readonly bars: readonly SentBar[]; readonly rejected: readonly Rejected[] }> {
    const bars: SentBar[] = [];
    const rejected: Rejected[] = [];
    let offset = 0;
    for (let page = 0; page < pagesMax; page += 1) {
      if (page > 0) await pause(spacingMs, signal);
      const url = pageUrl(new URL(series.path, config.url), series, { ...range, offset });
      const fetched = await fetch({ url }, signal);
      const part = readSeries(fetched.isUnchanged ? undefined : readJson(fetched), series);
      bars.push(...part.values.map(({ date, value }) => ({ date, close: value })));
      rejected.push(...part.rejected);
      offset += part.rows;
      const isLast = part.count === undefined ? part.rows < series.rowsMax : offset >= part.count;
      if (isLast || part.rows === 0) return { bars, rejected };
    }
    throw new FeedFault('unintelligible', `${series.path} has more pages than its series can have`);
  }
}

function pageUrl(
  url: URL,
  series: BcraSeries,
  page: { readonly from: PlainDate; readonly to: PlainDate; readonly offset: number },
): URL {
  url.searchParams.set(series.from, page.from);
  url.searchParams.set(series.to, page.to);
  url.searchParams.set('limit', String(series.rowsMax));
  url.searchParams.set('offset', String(page.offset));
  return url;
}
