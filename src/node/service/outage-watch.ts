import type { Log } from '../../lib/reports/log.ts';
import { outageOf } from '../../pipeline/live/source-outage.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';
import { describeFault, noSource } from '../metrics/readiness.ts';

/** Logs once when no source gives prices, with the reason of each, and once when one does again. */
export class OutageWatch {
  readonly #log: Log;
  #isOut = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Compares the feeds with the previous call. The caller repeats this periodically. */
  look(states: readonly FeedState[]): void {
    const outage = outageOf(states);
    if ((outage !== undefined) === this.#isOut) return;
    this.#isOut = outage !== undefined;
    if (outage === undefined) this.#log.info({}, 'a source responds again');
    else this.#log.warn({ sources: reasonsOf(outage.faults) }, noSource);
  }
}

function reasonsOf(
  faults: NonNullable<ReturnType<typeof outageOf>>['faults'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(faults, ([name, fault]) => [name, describeFault(fault)]));
}
