import { textAnswer } from '../exchange/answer.ts';
import type { Route } from '../exchange/visit.ts';

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
    answer: async () => textAnswer(200, { type: source.contentType, text: await source.metrics() }),
  };
}
