import type { FastifyReply, FastifyRequest } from 'fastify';

/** One path of the public listener. It answers GET, and HEAD as GET. */
export interface PublicRoute {
  /** Without the base path. */
  readonly path: string;
  /** Whether it is served without a key. */
  readonly isOpen?: true;
  /** Whether an answer lasts as long as its client likes. */
  readonly isStream?: true;
  /** Sends the answer, and gives the reply it sent. */
  readonly handle: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => FastifyReply | Promise<FastifyReply>;
}
