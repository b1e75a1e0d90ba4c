import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Parsed } from '../../domain/problem.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { sendError } from '../answer.ts';
import type { Content, ContentSource } from '../content.ts';
import { wantedFormat } from '../negotiation.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';
import { sendBody } from '../send-body.ts';

/** The route that answers with what a source has. */
export function contentRoute(source: ContentSource): PublicRoute {
  return {
    path: source.path,
    handle: (request, reply) => {
      const { url = '', headers } = request.raw;
      const found = source.find(queryOf(url), wantedFormat(headers.accept));
      return found instanceof Promise
        ? found.then((later) => sendFound(request, reply, later))
        : sendFound(request, reply, found);
    },
  };
}

function sendFound(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Parsed<Content>,
): FastifyReply | Promise<FastifyReply> {
  return found.ok
    ? sendBody(request, reply, found.value)
    : sendError(reply, problemAnswer(found.problem));
}
