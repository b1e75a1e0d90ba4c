import type { Clock } from '../../../src/lib/time/clock.ts';
import type { Pause } from '../../../src/lib/time/pause.ts';
import { deferred, processMsMax } from '../../support/wait.ts';

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/**
 * A clock that the test moves on. It wakes one pause after the other, and waits until each woken feed
 * pauses again. So a run does not depend on the speed of the machine.
 */
export class SteppedClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  #onSleeper: () => void = () => undefined;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  readonly pause: Pause = (ms, signal) => {
    const { promise, resolve, reject } = deferred<undefined>({ withinMs: processMsMax });
    const end = (): void => {
      this.#sleepers.delete(sleeper);
      signal.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal.reason as Error);
    };
    const wake = (): void => {
      end();
      resolve(undefined);
    };
    const sleeper = { wakesAt: Math.ceil(this.#now + ms), wake };
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    this.#sleepers.add(sleeper);
    this.#onSleeper();
    return promise;
  };

  /** Waits until so many feeds pause. */
  async untilPaused(count: number): Promise<void> {
    while (this.#sleepers.size < count) {
      const { promise, resolve } = deferred<void>();
      this.#onSleeper = resolve;
      await promise;
    }
  }

  /** Moves on to an instant, while so many feeds run. Calls back when a feed that was woken pauses again. */
  async moveTo(instant: number, count: number, onPaused: () => void): Promise<void> {
    for (let next = this.#first(); next !== undefined && next.wakesAt <= instant;) {
      this.#now = Math.max(this.#now, next.wakesAt);
      next.wake();
      await this.untilPaused(count);
      onPaused();
      next = this.#first();
    }
    this.#now = instant;
  }

  /** Moves on to an instant without waking anybody. */
  jumpTo(instant: number): void {
    this.#now = instant;
  }

  #first(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const one of this.#sleepers) {
      if (first === undefined || one.wakesAt < first.wakesAt) first = one;
    }
    return first;
  }
}
