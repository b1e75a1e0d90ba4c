import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, type HistoryDeps } from '../net/daily-history.ts';
import { seriesOf } from './bcra-mapper.ts';
import { bcraSpacingMs, readAllPages } from './bcra-pages.ts';

/** The daily history of the series of the central bank, since each of them begins. */
export function createBcraHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps & Pick<FeedDeps, 'pause'>,
  tickers: Iterable<Ticker>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...tickers],
    spacingMs: bcraSpacingMs,
    async bars({ ticker, from, to, calendar, now, signal, read }) {
      const series = seriesOf(ticker);
      if (series === undefined) return undefined;
      const today = calendar.dateAt(now);
      if (from > today) return { bars: [] };
      const { values, rejected } = await readAllPages(series, {
        base: config.url,
        from,
        to: to < today ? to : today,
        pause: deps.pause,
        signal,
        read,
      });
      return { bars: values.map(({ date, value }) => ({ date, close: value })), rejected };
    },
  });
}
