import type { Log } from '../../lib/reports/log.ts';
import type { StorePlace } from '../../store/contract/place.ts';

/** Logs when the clock of this machine begins to differ too much from that of the database, and when it stops. */
export class DatabaseClockWatch {
  readonly #place: Pick<StorePlace, 'clock'>;
  readonly #log: Log;
  #wasOff = false;

  constructor(place: Pick<StorePlace, 'clock'>, log: Log) {
    this.#place = place;
    this.#log = log;
  }

  /** Compares the state with the last one. The caller repeats this periodically. */
  look(): void {
    const { isOff = false, differenceMs = 0 } = this.#place.clock ?? {};
    if (isOff === this.#wasOff) return;
    this.#wasOff = isOff;
    const details = { aheadMs: Math.round(differenceMs) };
    if (isOff) {
      this.#log.error(
        details,
        'clock differs from that of the database, this node does not write: synchronise both',
      );
    } else {
      this.#log.info(details, 'clock agrees with that of the database again');
    }
  }
}
