import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instrument.ts';
import { toEpochDay } from '../../domain/plain-date.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DayRange } from '../../store/history-store.ts';
import { parseHistoryParams } from '../../wire/history-params.ts';
import type { Content, TableSource } from '../content/content.ts';
import type { RenderedSeries } from '../content/rendered-series.ts';
import type { SeriesCache } from '../content/series-cache.ts';
import { missingFields } from '../exchange/answer.ts';
import { Fields } from '../exchange/fields.ts';

/** Maximum number of parsed queries that are remembered, and the maximum length of one. */
const keptQueriesMax = 4_096;
const keptQueryLengthMax = 256;

/** A parsed query. */
interface Wanted extends DayRange {
  /** In the client's spelling. */
  readonly ticker: string;
  readonly instrument: Instrument | undefined;
}

/** The daily closes of one instrument (contract 4.2). The store is read at the first request for it. */
export function historicos({
  universe,
  series,
  clock,
}: {
  readonly universe: Universe;
  readonly series: SeriesCache;
  readonly clock: Clock;
}): TableSource {
  const parse = rememberedQueries(universe);

  const contentOf = (rendered: RenderedSeries, range: DayRange): Parsed<Content> => {
    const { lastModified, lastModifiedFields } = rendered;
    const body = rendered.range(range);
    // An HTTP date has whole seconds. Until the second has passed, the series may still change in it.
    return clock.now() < lastModified
      ? { ok: true, value: { body, fields: Fields.none } }
      : { ok: true, value: { body, fields: lastModifiedFields, lastModified } };
  };

  return {
    path: '/historicos',
    find: (rawQuery, format) => {
      const wanted = parse(rawQuery);
      if (!wanted.ok) return wanted;
      const { ticker, instrument } = wanted.value;
      if (instrument === undefined) {
        const body = series.empty(format);
        return { ok: true, value: { body, fields: missingFields([ticker]) } };
      }
      const rendered = series.peek(instrument, format);
      return rendered === undefined
        ? series.load(instrument, format).then((loaded) => contentOf(loaded, wanted.value))
        : contentOf(rendered, wanted.value);
    },
  };
}

/** Parses each query once, as long as it is among the latest. */
function rememberedQueries(universe: Universe): (rawQuery: string) => Parsed<Wanted> {
  const known = new LRUCache<string, Parsed<Wanted>>({ max: keptQueriesMax });
  return (rawQuery) => {
    const held = known.get(rawQuery);
    if (held !== undefined) return held;
    const query = parseHistoryParams(rawQuery);
    if (!query.ok) return query;
    const { ticker, from, to } = query.value;
    const range = { from: toEpochDay(from), to: toEpochDay(to) };
    const wanted = {
      ok: true,
      value: { ticker, instrument: universe.find(ticker), ...range },
    } as const;
    if (rawQuery.length <= keptQueryLengthMax) known.set(rawQuery, wanted);
    return wanted;
  };
}
