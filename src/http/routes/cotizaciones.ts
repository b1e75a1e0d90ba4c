import { problemAnswer } from '../../wire/error-texts.ts';
import { sendError } from '../answer.ts';
import { wantedFormat } from '../negotiation.ts';
import type { PublicRoute } from '../public-route.ts';
import type { QuoteAnswers } from '../quote-answers.ts';
import { queryOf } from '../request-target.ts';
import { sendBody } from '../send-body.ts';

/** The latest quotes of a selection (specification 4.1). Answers from memory, without waiting. */
export function cotizacionesRoute(answers: QuoteAnswers): PublicRoute {
  return {
    path: '/cotizaciones',
    handle: (request, reply) => {
      const { url = '', headers } = request.raw;
      const answer = answers.find(queryOf(url));
      if (!answer.ok) return sendError(reply, problemAnswer(answer.problem));
      return sendBody(request, reply, answer.value.current(wantedFormat(headers.accept)));
    },
  };
}
