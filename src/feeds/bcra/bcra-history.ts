import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault } from '../contract/feed.ts';
import type { Rejected } from '../contract/feed.ts';
import type { HistorySource } from '../contract/history-source.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { createDailyHistory } from '../net/daily-history.ts';
import type { HistoryDeps } from '../net/daily-history.ts';
import { readSeries, seriesOf } from './bcra-mapper.ts';
import type { BcraSeries } from './bcra-mapper.ts';

/** The source publishes no limit. */
const spacingMs = 1_000;

/** More pages than the longest series has. The daily series begin in 1996. */
const pagesMax = 40;

/** The daily history of the series of the central bank, since each of them begins. */
export function createBcraHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps & Pick<FeedDeps, 'pause'>,
  tickers: Iterable<Ticker>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...tickers],
    spacingMs,
    async bars({ ticker, from, to, calendar, now, signal, read }) {
      const series = seriesOf(ticker);
      if (series === undefined) return undefined;
      const bars: SentBar[] = [];
      const rejected: Rejected[] = [];
      const today = calendar.dateAt(now);
      if (from > today) return { bars };
      // The source refuses a future date with status 400.
      const range = { from, to: to < today ? to : today };
      // If one page fails, the whole history fails, because a part of it would look complete.
      for (let page = 0, offset = 0; page < pagesMax; page += 1) {
        if (page > 0) await deps.pause(spacingMs, signal);
        const url = pageUrl(new URL(series.path, config.url), series, { ...range, offset });
        const part = readSeries(await read(url), series);
        bars.push(...part.values.map(({ date, value }) => ({ date, close: value })));
        rejected.push(...part.rejected);
        offset += part.rows;
        const isLast = part.count === undefined ? part.rows < series.rowsMax : offset >= part.count;
        if (isLast || part.rows === 0) return { bars, rejected };
      }
      throw new FeedFault(
        'unintelligible',
        `${series.path} has more pages than its series can have`,
      );
    },
  });
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
