import type { KeyRefusal } from '../../auth/key-ring.ts';

/** Receives every request of a listener, for the metrics. */
export interface HttpObserver {
  /**
   * A response was sent. A stream of quotes is not reported: its life is no response time.
   *
   * @param answer.route the path of the route, or `unknown`: never what a client sent, so that clients
   *   cannot create time series.
   */
  answered(answer: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** No key admitted a request. `two-keys`: it has one in the header, and one in the path. */
  keyRefused(reason: KeyRefusal | 'missing' | 'two-keys'): void;
  /** A request was refused because it had waited too long for its turn. */
  shed?(): void;
}

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** A method as the metrics name it. A client may send any token. */
export function observedMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
