import type { FastifyReply, FastifyRequest } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { contentVary, varyHeaders } from './body.ts';
import type { BodyParts, Rendition } from './body.ts';
import { choose } from './content.ts';
import type { Content } from './content.ts';
import { wantedCodings } from './negotiation.ts';

/**
 * Answers with a content as `choose` says: with its body, or with a head alone.
 *
 * It writes past the framework's own `send`, which would look at every header again: what a hook has
 * set on the reply is taken along, and `onSend` hooks are not run.
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
    case 'unchanged':
      return write(reply, 304, ['etag', choice.etag, ...varyHeaders, ...content.headers], []);
    case 'to-make':
      return content.body
        .make(choice.coding)
        .then((rendition) => sendRendition(request, reply, { rendition, content }));
    case 'unacceptable':
      return sendError(varying(reply), errorAnswer('coding-unacceptable'));
  }
}

/** What is refused for its codings is so for these alone; a hook may have varied the answer as well. */
function varying(reply: FastifyReply): FastifyReply {
  const other = reply.getHeader('vary');
  return reply.header(
    'vary',
    other === undefined ? contentVary : `${contentVary}, ${String(other)}`,
  );
}

function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { rendition, content }: { readonly rendition: Rendition; readonly content: Content },
): FastifyReply {
  const head = [...rendition.headers, ...content.headers];
  return write(reply, 200, head, request.method === 'HEAD' ? [] : rendition.parts);
}

function write(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  parts: BodyParts,
): FastifyReply {
  const all = [...headers];
  const set = reply.getHeaders();
  for (const name in set) {
    // A hook may have varied the answer as well; HTTP/2 keeps only one header of a name.
    const at = name === 'vary' ? all.indexOf(name) : -1;
    if (at === -1) all.push(name, String(set[name]));
    else all[at + 1] += `, ${String(set[name])}`;
  }
  const response = reply.hijack().raw.writeHead(status, all);
  // Node corks until the end, so all goes out at once; a body of one text goes with the head.
  const last = parts.length - 1;
  for (let at = 0; at < last; at += 1) response.write(parts[at], 'latin1');
  response.end(parts[last], 'latin1');
  return reply;
}
