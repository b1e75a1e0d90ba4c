import type { FastifyReply, FastifyRequest } from 'fastify';

import type { KeyScope } from '../../domain/api-key.ts';
import { sendJson } from '../answer.ts';
import { privateTexts } from './private-texts.ts';
import type { PrivateError } from './private-texts.ts';

/** One path of the private listener. */
export interface PrivateRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What a key must be made for to open it; undefined for a path that is open to all. */
  readonly scope: KeyScope | undefined;
  /** Sends the answer, and gives the reply it sent. */
  readonly handle: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => FastifyReply | Promise<FastifyReply>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be made for to open a route of the private listener. */
    scope?: KeyScope;
  }
}

/** Sends an error, with what there is to report beside it. */
export function sendPrivateError(
  reply: FastifyReply,
  status: number,
  name: PrivateError,
  report: object = {},
): FastifyReply {
  const body = JSON.stringify({ error: privateTexts[name], ...report });
  return sendJson(reply.code(status), body);
}
