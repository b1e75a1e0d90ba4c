import type { Board } from '../../board/board.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { quoteListJson } from '../../wire/quote-body.ts';
import { parseQuoteParams } from '../../wire/quote-params.ts';
import { nameMissing, sendError, sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';

/** The latest quotes of a selection (specification 4.1). Answers from memory, without waiting. */
export function cotizacionesRoute({
  board,
  tickersMax,
}: {
  readonly board: Board;
  readonly tickersMax: number;
}): PublicRoute {
  return {
    path: '/cotizaciones',
    handle: (request, reply) => {
      const selection = parseQuoteParams(queryOf(request.raw.url ?? ''), tickersMax);
      if (!selection.ok) return sendError(reply, problemAnswer(selection.problem));
      const { quotes, missing } = board.select(selection.value);
      nameMissing(reply, missing);
      return sendJson(reply, quoteListJson(quotes));
    },
  };
}
