import { sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';

/** Whether the process is alive: that it answers at all is the answer. */
export function healthzRoute(): PublicRoute {
  return {
    path: '/healthz',
    isOpen: true,
    handle: (_request, reply) => sendJson(reply, '{"estado":"ok"}'),
  };
}
