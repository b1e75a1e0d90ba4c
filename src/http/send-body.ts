import type { FastifyReply, FastifyRequest } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { validatorHeaders } from './body.ts';
import type { Body, BodyParts, Rendition } from './body.ts';
import { wantedCodings } from './negotiation.ts';

/** A body, and what its answers say besides what the body says itself. */
export interface Content {
  readonly body: Body;
  /** Names and values in turn; a 304 has them as well. */
  readonly headers: readonly string[];
  /** When it last changed, in epoch milliseconds and whole seconds, where that is known. */
  readonly lastModified?: number | undefined;
}

/**
 * Answers with a body in the coding that suits the client best, or with 304 when the client holds it
 * already: then nothing is rendered, compressed or written but a head.
 *
 * It writes past the framework's own `send`, which would look at every header again: what a hook has
 * set on the reply is taken along, and `onSend` hooks are not run.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2, 15.4.5.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): FastifyReply | Promise<FastifyReply> {
  const { headers } = request.raw;
  const { body } = content;
  const codings = wantedCodings(headers['accept-encoding']);
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    const held = body.pickHeld(ifNoneMatch, codings);
    if (held !== undefined) return sendUnchanged(reply, held, content);
  }
  const rendition = body.pick(codings);
  if (rendition !== undefined) {
    // A date is looked at only where no tag was sent, and names no coding, so any will do.
    const isUnchanged =
      ifNoneMatch === undefined && isNoNewer(content.lastModified, headers['if-modified-since']);
    return isUnchanged
      ? sendUnchanged(reply, rendition.etag, content)
      : sendRendition(request, reply, { rendition, content });
  }
  const [coding] = codings;
  if (coding === undefined || coding === 'identity') {
    return sendError(reply, errorAnswer('coding-unacceptable'));
  }
  return body
    .make(coding)
    .then((made) => sendRendition(request, reply, { rendition: made, content }));
}

function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { rendition, content }: { readonly rendition: Rendition; readonly content: Content },
): FastifyReply {
  const head = [...rendition.headers, ...content.headers];
  return write(reply, 200, head, request.method === 'HEAD' ? [] : rendition.parts);
}

function sendUnchanged(reply: FastifyReply, etag: string, content: Content): FastifyReply {
  return write(reply, 304, [...validatorHeaders(etag), ...content.headers], []);
}

/** Whether what was last modified then is no newer than a date; false unless both are known. */
function isNoNewer(lastModified: number | undefined, ifModifiedSince: string | undefined): boolean {
  if (lastModified === undefined || ifModifiedSince === undefined) return false;
  return lastModified <= Date.parse(ifModifiedSince);
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
