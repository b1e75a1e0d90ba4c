import { jsonDraft } from '../handler/response-draft.ts';
import { lineFields } from '../handler/peer-fields.ts';
import type { Route } from '../handler/visit.ts';

/** Whether the process is running, and the id of the service. */
export function healthz(instance: string, lineage: () => string | undefined): Route {
  return {
    method: 'GET',
    path: '/healthz',
    scope: undefined,
    isHealthCheck: true,
    respond: () =>
      jsonDraft(JSON.stringify({ status: 'ok', instance }), 200, lineFields(lineage())),
  };
}
