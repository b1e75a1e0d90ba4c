import type { FastifyReply, FastifyRequest } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { contentVary } from './body.ts';
import type { Rendition } from './body.ts';
import { choose } from './content.ts';
import type { Content } from './content.ts';
import { wantedCodings } from './negotiation.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * Answers with a content as `choose` says: with its body, or with a head alone.
 *
 * Source: RFC 9110 15.4.5.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): FastifyReply | Promise<FastifyReply> {
  const { headers } = request.raw;
  const choice = choose(content, {
    codings: wantedCodings(headers['accept-encoding']),
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
  });
  switch (choice.is) {
    case 'whole':
      return sendRendition(request, reply, { rendition: choice.rendition, content });
    case 'unchanged': {
      const own = { headers: ['etag', choice.etag, ...content.headers], parts: [] };
      return writeAnswer(varying(reply), 304, own);
    }
    case 'to-make':
      return content.body
        .make(choice.coding)
        .then((rendition) => sendRendition(request, reply, { rendition, content }));
    case 'unacceptable':
      return sendError(varying(reply), errorAnswer('coding-unacceptable'));
  }
}

function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { rendition, content }: { readonly rendition: Rendition; readonly content: Content },
): FastifyReply {
  const headers = [...rendition.headers, ...content.headers];
  const parts = request.method === 'HEAD' ? [] : rendition.parts;
  return writeAnswer(varying(reply), 200, { headers, parts });
}

/** Says what the answer varies with. A hook may have varied it as well; HTTP/2 keeps one of a name. */
function varying(reply: FastifyReply): FastifyReply {
  const other = reply.getHeader('vary');
  const vary = other === undefined ? contentVary : `${contentVary}, ${String(other)}`;
  return reply.header('vary', vary);
}
