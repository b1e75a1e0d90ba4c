import type { FastifyReply, FastifyRequest } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { contentVary } from './body.ts';
import type { Rendition } from './body.ts';
import { choose } from './content.ts';
import type { Content } from './content.ts';
import { addVary } from './vary.ts';
import { wishesOf } from './wishes.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * Answers with a content as `choose` says: with its body, or with a head alone.
 *
 * @param now in epoch milliseconds.
 *
 * Source: RFC 9110 15.4.5.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, now }: { readonly content: Content; readonly now: number },
): FastifyReply | Promise<FastifyReply> {
  const choice = choose(content, wishesOf(request.raw, now), now);
  switch (choice.is) {
    case 'whole':
      return sendRendition(request, reply, { rendition: choice.rendition, content });
    case 'unchanged': {
      const own = { headers: ['etag', choice.etag, ...content.headers], parts: [] };
      return writeAnswer(addVary(reply, contentVary), 304, own);
    }
    case 'to-make':
      return content.body
        .make(choice.coding)
        .then((rendition) => sendRendition(request, reply, { rendition, content }));
    case 'unacceptable':
      return sendError(addVary(reply, contentVary), errorAnswer('coding-unacceptable'));
  }
}

function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { rendition, content }: { readonly rendition: Rendition; readonly content: Content },
): FastifyReply {
  const headers = [...rendition.headers, ...content.headers];
  const parts = request.method === 'HEAD' ? [] : rendition.parts;
  return writeAnswer(addVary(reply, contentVary), 200, { headers, parts });
}
