import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instrument.ts';
import { toEpochDay } from '../../domain/plain-date.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DayRange } from '../../store/history-store.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { parseHistoryParams } from '../../wire/history-params.ts';
import { missingHeaders, sendError } from '../answer.ts';
import { wantedFormat } from '../negotiation.ts';
import type { PublicRoute } from '../public-route.ts';
import type { RenderedSeries } from '../rendered-series.ts';
import { queryOf } from '../request-target.ts';
import { sendBody } from '../send-body.ts';
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
 * The daily closes of one instrument (specification 4.2). Answers from memory, without waiting, once
 * the instrument has been asked for.
 */
export function historicosRoute({
  universe,
  series,
  clock,
}: {
  readonly universe: Universe;
  readonly series: SeriesCache;
  readonly clock: Clock;
}): PublicRoute {
  const understand = rememberQueries(universe);

  const sendRange = (
    request: FastifyRequest,
    reply: FastifyReply,
    { rendered, range }: { readonly rendered: RenderedSeries; readonly range: DayRange },
  ): FastifyReply | Promise<FastifyReply> => {
    const { lastModified, lastModifiedHeaders } = rendered;
    const body = rendered.range(range);
    // A date has whole seconds. Only when the second is over is it certain that nothing changed in
    // it after the series was read.
    return clock.now() < lastModified
      ? sendBody(request, reply, { body, headers: [] })
      : sendBody(request, reply, { body, headers: lastModifiedHeaders, lastModified });
  };

  return {
    path: '/historicos',
    handle: (request, reply) => {
      const { url = '', headers } = request.raw;
      const wanted = understand(queryOf(url));
      if (!wanted.ok) return sendError(reply, problemAnswer(wanted.problem));
      const { ticker, instrument, ...range } = wanted.value;
      const format = wantedFormat(headers.accept);
      if (instrument === undefined) {
        const body = series.empty(format);
        return sendBody(request, reply, { body, headers: missingHeaders([ticker]) });
      }
      const rendered = series.peek(instrument, format);
      return rendered === undefined
        ? series
            .load(instrument, format)
            .then((loaded) => sendRange(request, reply, { rendered: loaded, range }))
        : sendRange(request, reply, { rendered, range });
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
