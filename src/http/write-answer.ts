import type { FastifyReply } from 'fastify';

import type { BodyParts } from './body.ts';

/**
 * Writes an answer past the framework's own `send`, which would look at every header again: what a hook
 * has set on the reply is taken along, and `onSend` hooks are not run.
 *
 * @param own the headers of this answer alone, names and values in turn, and its body.
 */
export function writeAnswer(
  reply: FastifyReply,
  status: number,
  own: { readonly headers: readonly string[]; readonly parts: BodyParts },
): FastifyReply {
  const head = [...own.headers];
  for (const [name, value] of Object.entries(reply.getHeaders())) head.push(name, String(value));
  const response = reply.hijack().raw.writeHead(status, head);
  // Node corks until the end, so all goes out at once; a body of one text goes with the head.
  const last = own.parts.length - 1;
  for (let at = 0; at < last; at += 1) response.write(own.parts[at], 'latin1');
  response.end(own.parts[last], 'latin1');
  return reply;
}
