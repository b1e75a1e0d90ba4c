import type { Universe } from '../../domain/instruments/universe.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { noDataJson } from '../../wire/udf/chart-cells.ts';
import { unknownSymbolJson } from '../../wire/udf/symbol-body.ts';
import { tickerIn } from '../../wire/udf/udf-names.ts';
import { chartParameters, parseChartParams, type ChartQuery } from '../../wire/udf/udf-params.ts';
import type { Content, ContentSource } from '../content/content.ts';
import type { Chart } from './chart.ts';
import type { Charts } from './charts.ts';
import { contentOf, jsonContent } from './json-content.ts';

const unknown = jsonContent(unknownSymbolJson);
const noData = jsonContent(noDataJson);

/** The adapter needs the last bar and the one before it. */
const barsMin = 2;

/** The bars of an instrument (contract 4.15.7). */
export function history({
  universe,
  charts,
  rowsMax,
}: {
  readonly universe: Universe;
  readonly charts: Charts;
  /** Maximum number of bars in a response. */
  readonly rowsMax: number;
}): ContentSource {
  const answer = (chart: Chart, query: ChartQuery): Parsed<Content> => {
    const { first, end } = rangeOf(chart, query);
    if (first === end) return noData;
    const count = end - first;
    if (count > rowsMax)
      return { ok: false, problem: { type: 'rows-too-many', count, max: rowsMax } };
    return contentOf(chart.body(first, end));
  };
  return {
    path: '/udf/history',
    parameters: chartParameters,
    find: (rawQuery) => {
      const query = parseChartParams(rawQuery);
      if (!query.ok) return query;
      const { symbol, interval } = query.value;
      const instrument = universe.find(tickerIn(symbol));
      if (instrument === undefined) return unknown;
      const chart = charts.current(instrument, interval);
      return chart instanceof Promise
        ? chart.then((loaded) => answer(loaded, query.value))
        : answer(chart, query.value);
    },
  };
}

/**
 * The bars that a query asks for: of those before `to`, the last `countback`, or those since `from`, and the
 * last two where fewer are since `from`.
 */
function rangeOf(
  chart: Chart,
  { from, to, countback }: ChartQuery,
): { readonly first: number; readonly end: number } {
  const end = chart.before(to);
  const start =
    countback === undefined ? Math.min(chart.before(from), end - barsMin) : end - countback;
  return { first: Math.max(start, 0), end };
}
