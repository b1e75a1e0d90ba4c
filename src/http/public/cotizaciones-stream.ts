import type { Board } from '../../board/board.ts';
import { parseStreamBars } from '../../wire/params/bar-params.ts';
import { errorAnswer, problemAnswer } from '../../wire/texts/error-texts.ts';
import { parseLastEventId } from '../../wire/bodies/quote-event.ts';
import { parseQuoteParams } from '../../wire/params/quote-params.ts';
import { errorToAnswer, missingFields, retryAfter } from '../exchange/answer.ts';
import { Fields } from '../exchange/fields.ts';
import { singleOf } from '../exchange/request.ts';
import type { Route } from '../exchange/visit.ts';
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
    path: '/cotizaciones/stream',
    scope: 'read',
    isStream: true,
    answer: ({ request, reading, key }) => {
      const parsed = parseQuoteParams(reading.query, tickersMax);
      if (!parsed.ok) return errorToAnswer(problemAnswer(parsed.problem));
      const interval = parseStreamBars(reading.query);
      if (!interval.ok) return errorToAnswer(problemAnswer(interval.problem));
      if (key === undefined) throw new Error('a stream was admitted without a key');
      const refusal = streams.refusal(key);
      if (refusal !== undefined) {
        const error = errorAnswer(refusal, { seconds: retryAfterSeconds, max: perKeyMax });
        return errorToAnswer(error, [retryAfter(retryAfterSeconds)]);
      }
      const { selection, extras } = parsed.value;
      const barInterval = interval.value;
      const fields = [streamFields, missingFields(board.select(selection).missing)];
      const head = { status: 200, fields, body: [], closes: true };
      if (request.method === 'HEAD') return head;
      const after = parseLastEventId(singleOf(request.headers['last-event-id']));
      const wanted = { selection, extras, barInterval, after };
      return { ...head, stream: (sink) => streams.open(sink, { key, ...wanted }) };
    },
  };
}
