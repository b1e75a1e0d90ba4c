import type { onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { closeAfter } from './close-after.ts';
import type { StopPhase } from './stop/stop-phase.ts';

/** When a client of a stopping service may come back, in seconds: enough for a restart. */
const retryAfterSeconds = 5;

/**
 * Refuses what a stopping service does not answer any more: new streams as soon as it drains, and other
 * requests when it closes. Source: decisions row 26.
 */
export function drainHook(phase: StopPhase): onRequestHookHandler {
  const answer = errorAnswer('draining', { seconds: retryAfterSeconds });
  return ({ routeOptions }, reply, done) => {
    const { isStream = false } = routeOptions.config;
    if (!(isStream ? phase.isDraining : phase.isClosing)) return done();
    void closeAfter(reply.header('retry-after', String(retryAfterSeconds)));
    void sendError(reply, answer);
  };
}
