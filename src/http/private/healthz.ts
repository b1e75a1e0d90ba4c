import { jsonAnswer } from '../exchange/answer.ts';
import { lineFields } from '../exchange/line-field.ts';
import type { Route } from '../exchange/visit.ts';

/** Whether the process is running, and the id of the service. */
export function healthz(instance: string, lineage: () => string | undefined): Route {
  return {
    method: 'GET',
    path: '/healthz',
    scope: undefined,
    isHealthCheck: true,
    answer: () =>
      jsonAnswer(JSON.stringify({ status: 'ok', instance }), 200, lineFields(lineage())),
  };
}
