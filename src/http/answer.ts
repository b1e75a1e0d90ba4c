import type { FastifyReply } from 'fastify';

import type { ErrorAnswer } from '../wire/error-texts.ts';
import { missingHeader } from '../wire/missing-header.ts';

/** The media type of every JSON answer, errors included. */
export const jsonType = 'application/json; charset=utf-8';

/** Sends a body that is JSON text already. */
export function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('content-type', jsonType).send(body);
}

/** Sends an error with its own status. */
export function sendError(reply: FastifyReply, answer: ErrorAnswer): FastifyReply {
  return sendJson(reply.code(answer.status), answer.body);
}

/** An error as it is written: its bytes, and the headers of its own, names and values in turn. */
export interface ErrorBody {
  readonly parts: readonly Buffer[];
  readonly headers: readonly string[];
}

/** The body of an error that is written past the framework. */
export function errorBody({ body }: ErrorAnswer): ErrorBody {
  const bytes = Buffer.from(body);
  const headers = ['content-type', jsonType, 'content-length', String(bytes.length)];
  return { parts: [bytes], headers };
}

/** Sets headers that are told as names and values in turn. */
export function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) {
    void reply.header(headers[at] ?? '', headers[at + 1]);
  }
}

/** The header that names what was asked for and is not in the answer, if anything. */
export function missingHeaders(missing: readonly string[]): readonly string[] {
  return missing.length === 0 ? [] : ['missing-especies', missingHeader(missing)];
}

/** Names what was asked for and is not in the answer, if anything (decisions row 4). */
export function nameMissing(reply: FastifyReply, missing: readonly string[]): void {
  if (missing.length > 0) void reply.header('missing-especies', missingHeader(missing));
}
