import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, type HistoryDeps } from '../net/daily-history.ts';
import { requireList } from '../net/read-body.ts';
import { mapSeries, seriesOf } from './argentinadatos-mapper.ts';

/** The source publishes no limit. */
const spacingMs = 1_000;

/** The daily history of argentinadatos.com. A response is always the whole series. */
export function createArgentinadatosHistory(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps,
  tickers: Iterable<Ticker>,
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: [...tickers],
    spacingMs,
    async bars({ ticker, calendar, read }) {
      const series = seriesOf(ticker);
      if (series === undefined) return undefined;
      const rows = requireList(await read(new URL(series.path, config.url)));
      return mapSeries(rows, { field: series.field, calendar });
    },
  });
}
