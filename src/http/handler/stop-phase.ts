/**
 * The phase of a listener's stop. It only moves forward:
 *
 * - `serving`: nothing has been stopped.
 * - `draining`: requests are answered as before, and every response closes its connection. Streams are
 *   over, and new ones get 503.
 * - `closing`: all requests in transit have arrived. A request that still arrives gets 503.
 *
 * Source: contract 7.
 */
export class StopPhase {
  #phase: 'serving' | 'draining' | 'closing' = 'serving';

  get isDraining(): boolean {
    return this.#phase !== 'serving';
  }

  get isClosing(): boolean {
    return this.#phase === 'closing';
  }

  drain(): void {
    if (this.#phase === 'serving') this.#phase = 'draining';
  }

  close(): void {
    this.#phase = 'closing';
  }
}
