import type { FastifyReply } from 'fastify';

/**
 * Has the connection closed after this answer. Over HTTP/2 a connection carries other answers too and
 * the header is not allowed (RFC 9113 8.2.2), so there it is not said.
 */
export function closeAfter(reply: FastifyReply): FastifyReply {
  const isHttp2 = reply.request.raw.httpVersionMajor === 2;
  return isHttp2 ? reply : reply.header('connection', 'close');
}
