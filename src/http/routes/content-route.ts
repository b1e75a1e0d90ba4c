import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Parsed } from '../../domain/problem.ts';
import type { Clock } from '../../lib/clock.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { sendError } from '../answer.ts';
import type { Content, ContentSource } from '../content.ts';
import { wantedFormat } from '../negotiation.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';
import { sendBody } from '../send-body.ts';

/** The route that answers with what a source has. */
export function contentRoute(source: ContentSource, clock: Clock): PublicRoute {
  return {
    path: source.path,
    handle: (request, reply) => {
      const { url = '', headers } = request.raw;
      const found = source.find(queryOf(url), wantedFormat(headers.accept));
      return found instanceof Promise
        ? found.then((later) => sendFound(request, reply, { found: later, now: clock.now() }))
        : sendFound(request, reply, { found, now: clock.now() });
    },
  };
}

function sendFound(
  request: FastifyRequest,
  reply: FastifyReply,
  { found, now }: { readonly found: Parsed<Content>; readonly now: number },
): FastifyReply | Promise<FastifyReply> {
  return found.ok
    ? sendBody(request, reply, { content: found.value, now })
    : sendError(reply, problemAnswer(found.problem));
}
