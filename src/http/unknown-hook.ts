import type { onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { methodOf } from './request-method.ts';
import { isPath, pathOf } from './request-target.ts';

/** What every path of the public listener answers to. */
const allowed = ['GET', 'HEAD'] as const;

/**
 * Answers what no route does: 405 on a path that is served, 404 elsewhere. A target that is no path (`*`
 * of OPTIONS, the authority of CONNECT) names no resource, so there the method is what is refused. It
 * does so before a body would be read, which is why it is a hook and not the framework's own handler.
 *
 * Source: decisions row 26.
 */
export function unknownHook(paths: ReadonlySet<string>): onRequestHookHandler {
  return ({ raw, is404 }, reply, done) => {
    if (!is404) return done();
    const method = methodOf(raw);
    const path = pathOf(raw.url ?? '');
    const isMethodRefused = isPath(path)
      ? // As the router does, which takes an encoded slash for a letter of a name.
        paths.has(decodeURI(path))
      : !allowed.some((one) => one === method);
    if (!isMethodRefused) return void sendError(reply, errorAnswer('path-unknown', { path }));
    void sendError(
      reply.header('allow', allowed.join(', ')),
      errorAnswer('method-not-allowed', { method, valid: allowed }),
    );
  };
}
