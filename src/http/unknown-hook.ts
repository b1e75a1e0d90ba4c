import type { onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { pathOf } from './request-target.ts';

/** What every path of the public listener answers to. */
const allowed = ['GET', 'HEAD'] as const;

/**
 * Answers what no route does: 405 on a path that is served, 404 elsewhere. It does so before a body
 * would be read, which is why it is a hook and not the framework's own handler.
 *
 * Source: decisions row 26.
 */
export function unknownHook(paths: ReadonlySet<string>): onRequestHookHandler {
  return (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request.raw.url ?? '');
    // As the router does, which takes an encoded slash for a letter of a name.
    if (!paths.has(decodeURI(path))) {
      return void sendError(reply, errorAnswer('path-unknown', { path }));
    }
    void sendError(
      reply.header('allow', allowed.join(', ')),
      errorAnswer('method-not-allowed', { method: request.method, valid: allowed }),
    );
  };
}
