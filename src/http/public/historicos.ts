import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import { fromEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import {
  historyParameters,
  parseHistoryParams,
  singleHistoryParameters,
  type JoinedHistory,
  type SingleHistory,
} from '../../wire/params/history-params.ts';
import { knownQuery } from '../../wire/params/query-text.ts';
import type { Content, TableSource } from '../content/content.ts';
import type { RenderedSeries } from '../content/rendered-series.ts';
import type { SeriesCache } from '../content/series-cache.ts';
import { missingFields, missingNames } from '../handler/response-draft.ts';
import type { JoinedResponses } from '../history/joined-responses.ts';
import type { KnownResponses } from '../known/known-responses.ts';
import { Fields } from '../handler/fields.ts';

/** Maximum number of parsed queries that are remembered, and the maximum length of one. */
const keptQueriesMax = 4_096;
const keptQueryLengthMax = 256;

/** A parsed query for one instrument. */
interface WantedOne extends SingleHistory {
  readonly range: DayRange;
  readonly instrument: Instrument | undefined;
}

/** A parsed query. */
type Wanted = WantedOne | JoinedHistory;

/**
 * The daily closes of one instrument, as traded or adjusted, or of several with `forma` (contract 4.2),
 * as they are stored or, with `conocido`, as they were stored at an instant. The store is read at the first request for
 * them.
 */
export function historicos({
  universe,
  series,
  joined,
  known,
  clock,
  tickersMax,
}: {
  readonly universe: Universe;
  readonly series: SeriesCache;
  readonly joined: JoinedResponses;
  readonly known: KnownResponses;
  readonly clock: Clock;
  readonly tickersMax: number;
}): TableSource {
  const parse = rememberedQueries(universe, tickersMax);

  const contentOf = (rendered: RenderedSeries, range: DayRange): Parsed<Content> => {
    const body = rendered.range(range);
    const unapplied = unappliedFields(rendered, range);
    // An HTTP date has whole seconds. Until the second has passed, the series may still change in it.
    if (clock.now() < rendered.lastModified)
      return { ok: true, value: { body, fields: unapplied } };
    const { lastModified, lastModifiedFields } = rendered;
    const fields =
      unapplied === Fields.none
        ? lastModifiedFields
        : new Fields([...lastModifiedFields.list, ...unapplied.list]);
    return { ok: true, value: { body, fields, lastModified } };
  };

  return {
    path: '/historicos',
    parameters: historyParameters,
    find: (rawQuery, format, caller) => {
      const wanted = parse(rawQuery);
      if (!wanted.ok) return wanted;
      const { knownAt } = wanted.value;
      if ('form' in wanted.value) {
        return knownAt === undefined
          ? joined.find(rawQuery, wanted.value, format, caller)
          : known.joined(rawQuery, { ...wanted.value, knownAt }, format, caller);
      }
      const one = wanted.value;
      if (knownAt !== undefined) {
        const ownQuery = knownQuery(rawQuery, singleHistoryParameters);
        return known.single(ownQuery, { ...one, knownAt }, format, caller);
      }
      const { ticker, instrument, adjustment, fields } = one;
      const form = { format, adjustment, fields };
      if (instrument === undefined) {
        const body = series.empty(form);
        return { ok: true, value: { body, fields: missingFields([ticker]) } };
      }
      const rendered = series.peek(instrument, form);
      return rendered === undefined
        ? series.load(instrument, form).then((loaded) => contentOf(loaded, one.range))
        : contentOf(rendered, one.range);
    },
  };
}

/** The field that names the dividends after the first day that are not adjusted for (contract 4.2.7). */
function unappliedFields({ unapplied }: RenderedSeries, { from }: DayRange): Fields {
  const days = unapplied.filter((day) => day > from);
  return missingNames({ 'missing-dividendos': days.map(fromEpochDay) });
}

/** Parses each query once, as long as it is among the latest. */
function rememberedQueries(
  universe: Universe,
  tickersMax: number,
): (rawQuery: string) => Parsed<Wanted> {
  const known = new LRUCache<string, Parsed<Wanted>>({ max: keptQueriesMax });
  return (rawQuery) => {
    const held = known.get(rawQuery);
    if (held !== undefined) return held;
    const query = parseHistoryParams(rawQuery, tickersMax);
    if (!query.ok) return query;
    const value = 'form' in query.value ? query.value : resolved(query.value, universe);
    const wanted = { ok: true, value } as const;
    if (rawQuery.length <= keptQueryLengthMax) known.set(rawQuery, wanted);
    return wanted;
  };
}

function resolved(query: SingleHistory, universe: Universe): WantedOne {
  const range = { from: toEpochDay(query.from), to: toEpochDay(query.to) };
  return { ...query, instrument: universe.find(query.ticker), range };
}
