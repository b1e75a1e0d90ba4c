import type { onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { closeAfter } from './close-after.ts';

/** When a client that met a stopping server may come back: enough for a restart. */
const retryAfterSeconds = 5;

/** While the server stops, sends clients elsewhere. Source: decisions row 26. */
export function drainHook(isDraining: () => boolean): onRequestHookHandler {
  const answer = errorAnswer('draining', { seconds: retryAfterSeconds });
  return (_request, reply, done) => {
    if (!isDraining()) return done();
    void closeAfter(reply.header('retry-after', String(retryAfterSeconds)));
    void sendError(reply, answer);
  };
}
