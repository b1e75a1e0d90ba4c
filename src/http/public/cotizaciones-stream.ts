import type { Board } from '../../board/board.ts';
import { knownQuery } from '../../contract/part.ts';
import { errorResponse, problemResponse } from '../../wire/texts/error-texts.ts';
import { parseLastEventId } from '../../contract/rows/quote-event.ts';
import { cotizacionesStream as operation } from '../../contract/paths/cotizaciones.ts';
import { errorDraft, missingFields, retryAfter, Fields } from '../handler/response.ts';
import { singleOf, type Route } from '../handler/request.ts';
import type { QuoteStreams } from '../stream/quote-streams.ts';

/** When a client with too many streams may try again, in seconds. */
const retryAfterSeconds = 10;

const streamFields = Fields.of({
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies like nginx otherwise hold events back until a buffer is full.
  'x-accel-buffering': 'no',
});

/**
 * The quotes of a selection as they change, as server-sent events (contract 4.4.1). Parameters, key and
 * missing names are those of `/cotizaciones`.
 */
export function cotizacionesStream({
  board,
  streams,
  tickersMax,
  perKeyMax,
}: {
  readonly board: Board;
  readonly streams: QuoteStreams;
  readonly tickersMax: number;
  readonly perKeyMax: number;
}): Route {
  return {
    method: 'GET',
    path: operation.path,
    scope: 'read',
    isStream: true,
    respond: ({ request, head, key }) => {
      if (knownQuery(head.query, ['moneda']) !== '') {
        return errorDraft(problemResponse({ type: 'parameter-not-streamed', parameter: 'moneda' }));
      }
      const parsed = operation.read(head.query, { tickersMax });
      if (!parsed.ok) return errorDraft(problemResponse(parsed.problem));
      if (key === undefined) throw new Error('a stream was admitted without a key');
      const refusal = streams.refusal(key);
      if (refusal !== undefined) {
        const error = errorResponse(refusal, { seconds: retryAfterSeconds, max: perKeyMax });
        return errorDraft(error, [retryAfter(retryAfterSeconds)]);
      }
      const { query } = parsed.value;
      const missing = missingFields({
        'missing-especies': board.select(query.selection).missing,
      });
      const fields = [streamFields, new Fields(missing)];
      const answer = { status: 200, fields, body: [], closes: true };
      if (request.method === 'HEAD') return answer;
      const after = parseLastEventId(singleOf(request.headers['last-event-id']));
      return { ...answer, stream: (sink) => streams.open(sink, { key, after, ...query }) };
    },
  };
}
