import { ClockDifference, differenceText } from '../../../cluster/clock-difference.ts';
import type { ClockState } from '../../contract/place.ts';
import { StoreFault } from '../../contract/store-fault.ts';

/** Compares the clock of this machine with that of the database, by statements that return the latter. */
export class DatabaseClock implements ClockState {
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #difference = new ClockDifference();

  /** @param own.now epoch milliseconds. */
  constructor(own: { readonly now: () => number; readonly monotonic: () => number }) {
    this.#now = own.now;
    this.#monotonic = own.monotonic;
  }

  get differenceMs(): number | undefined {
    return this.#difference.ms;
  }

  get isOff(): boolean {
    return this.#difference.isOff;
  }

  /** Call it before the statement is sent, and the result with the clock of the database when it has responded. */
  ask(): (databaseMs: number) => void {
    const sentAt = this.#monotonic();
    return (databaseMs) => {
      const tripMs = this.#monotonic() - sentAt;
      this.#difference.read({ databaseMs, ownMs: this.#now(), tripMs });
    };
  }

  /** Why this machine may not write. */
  fault(where: string): StoreFault {
    const by = differenceText(this.#difference.ms ?? 0);
    return new StoreFault(
      'unavailable',
      `${where}: the clock of this machine is ${by} that of the database, so it does not write. ` +
        'Let both machines synchronise their clocks, for example with chrony',
    );
  }
}
