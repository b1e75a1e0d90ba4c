import type { Board } from '../../board/board.ts';
import { errorAnswer, problemAnswer } from '../../wire/error-texts.ts';
import { parseLastEventId } from '../../wire/quote-event.ts';
import { parseQuoteParams } from '../../wire/quote-params.ts';
import { nameMissing, sendError } from '../answer.ts';
import { closeAfter } from '../close-after.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';
import type { QuoteStreams } from '../stream/quote-streams.ts';

/** When a client that has too many streams may try again. */
const retryAfterSeconds = 10;

/**
 * The quotes of a selection as they change, as server-sent events (decisions row 28): parameters,
 * key and missing names as in `/cotizaciones`.
 */
export function cotizacionesStreamRoute({
  board,
  streams,
  tickersMax,
  perKeyMax,
}: {
  readonly board: Board;
  readonly streams: QuoteStreams;
  readonly tickersMax: number;
  readonly perKeyMax: number;
}): PublicRoute {
  return {
    path: '/cotizaciones/stream',
    isStream: true,
    handle: (request, reply) => {
      const { raw, headers, method, apiKey } = request;
      const selection = parseQuoteParams(queryOf(raw.url ?? ''), tickersMax);
      if (!selection.ok) return sendError(reply, problemAnswer(selection.problem));
      if (apiKey === null) throw new Error('a stream was asked for without a key');
      const refusal = streams.refusal(apiKey);
      if (refusal !== undefined) {
        void reply.header('retry-after', String(retryAfterSeconds));
        const values = { seconds: retryAfterSeconds, max: perKeyMax };
        return sendError(reply, errorAnswer(refusal, values));
      }
      nameMissing(reply, board.select(selection.value).missing);
      void reply.header('content-type', 'text/event-stream; charset=utf-8');
      // Proxies of the nginx kind would otherwise keep events until a buffer is full.
      void reply.header('x-accel-buffering', 'no');

      void closeAfter(reply.hijack());
      const response = reply.raw;
      // It ends with its connection, so it needs no chunks around each event.
      response.useChunkedEncodingByDefault = false;
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) response.setHeader(name, value);
      }
      if (method === 'HEAD') {
        response.end();
        return reply;
      }
      const lastEventId = headers['last-event-id'];
      const after = parseLastEventId(Array.isArray(lastEventId) ? undefined : lastEventId);
      streams.open(response, { key: apiKey, selection: selection.value, after });
      return reply;
    },
  };
}
