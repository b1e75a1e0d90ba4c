import { textDraft } from '../handler/response-draft.ts';
import type { Route } from '../handler/visit.ts';

/** The metrics, in the format of their registry. */
export interface MetricsText {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** The metrics, for keys of the scope `metrics`. */
export function metrics(source: MetricsText): Route {
  return {
    method: 'GET',
    path: '/metrics',
    scope: 'metrics',
    respond: async () => textDraft(200, { type: source.contentType, text: await source.metrics() }),
  };
}
