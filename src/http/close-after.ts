import type { FastifyReply } from 'fastify';

import { isHttp2 } from './http-version.ts';

/**
 * Closes the connection after this response. Over HTTP/2 a connection carries other responses too and
 * the header is not allowed (RFC 9113 8.2.2), so there it is not sent.
 */
export function closeAfter(reply: FastifyReply): FastifyReply {
  return isHttp2(reply.request.raw) ? reply : reply.header('connection', 'close');
}
