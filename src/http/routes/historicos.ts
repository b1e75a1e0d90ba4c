import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instrument.ts';
import { toEpochDay } from '../../domain/plain-date.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DayRange } from '../../store/history-store.ts';
import { parseHistoryParams } from '../../wire/history-params.ts';
import { missingHeaders } from '../answer.ts';
import type { Content, ContentSource } from '../content.ts';
import type { RenderedSeries } from '../rendered-series.ts';
import type { SeriesCache } from '../series-cache.ts';

/** How many queries are kept as they were understood; of one, at most a request line is kept. */
const keptQueriesMax = 4_096;
const keptQueryLengthMax = 256;

/** What a query asks for. */
interface Wanted extends DayRange {
  /** As the client spelled it. */
  readonly ticker: string;
  readonly instrument: Instrument | undefined;
}

/**
 * The daily closes of one instrument (specification 4.2): from memory, once the instrument has been
 * asked for.
 */
export function historicos({
  universe,
  series,
  clock,
}: {
  readonly universe: Universe;
  readonly series: SeriesCache;
  readonly clock: Clock;
}): ContentSource {
  const understand = rememberQueries(universe);

  const contentOf = (rendered: RenderedSeries, range: DayRange): Parsed<Content> => {
    const { lastModified, lastModifiedHeaders } = rendered;
    const body = rendered.range(range);
    // A date has whole seconds. Only when the second is over is it certain that nothing changed in
    // it after the series was read.
    return clock.now() < lastModified
      ? { ok: true, value: { body, headers: [] } }
      : { ok: true, value: { body, headers: lastModifiedHeaders, lastModified } };
  };

  return {
    path: '/historicos',
    find: (rawQuery, format) => {
      const wanted = understand(rawQuery);
      if (!wanted.ok) return wanted;
      const { ticker, instrument } = wanted.value;
      if (instrument === undefined) {
        const body = series.empty(format);
        return { ok: true, value: { body, headers: missingHeaders([ticker]) } };
      }
      const rendered = series.peek(instrument, format);
      return rendered === undefined
        ? series.load(instrument, format).then((loaded) => contentOf(loaded, wanted.value))
        : contentOf(rendered, wanted.value);
    },
  };
}

/** Understands each text of a query once, for as long as it is among the latest. */
function rememberQueries(universe: Universe): (rawQuery: string) => Parsed<Wanted> {
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
