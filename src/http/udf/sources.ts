import type { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ContentSource } from '../content/content.ts';
import { Charts, type ChartsParts } from './charts.ts';
import { config } from './config.ts';
import { history } from './history.ts';
import { quotes } from './quotes.ts';
import { search } from './search.ts';
import { symbols } from './symbols.ts';
import { time } from './time.ts';
import { timescaleMarks } from './timescale-marks.ts';

/** The paths below `/udf`, which the adapter of TradingView's charting library asks (contract 4.15). */
export interface UdfSources {
  readonly sources: readonly ContentSource[];
  readonly charts: Charts;
}

/** Builds the paths below `/udf`. */
export function udfSources(
  parts: ChartsParts & {
    readonly clock: Clock;
    readonly search: InstrumentSearch;
    readonly tickersMax: number;
    readonly rowsMax: number;
  },
): UdfSources {
  const { universe } = parts.board;
  const charts = new Charts(parts);
  const sources = [
    config(universe),
    time(parts.clock),
    symbols(parts),
    search(universe, parts.search),
    history({ ...parts, universe, charts }),
    quotes(parts),
    timescaleMarks({ ...parts, universe }),
  ];
  return { sources, charts };
}
