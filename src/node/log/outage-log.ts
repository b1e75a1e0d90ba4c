import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';

/** How often it is checked whether the outage has ended, in milliseconds. */
const pollMs = 1_000;

/**
 * A log in which an outage of a database is one line when it begins, and one when it ends. Every part of a node
 * notices the outage by itself and retries, so each would log it again and again.
 *
 * A fault that is not an outage is logged as it is.
 */
export class OutageLog implements AsyncDisposable {
  readonly log: Log;
  readonly #plain: Log;
  readonly #place: Pick<StorePlace, 'name' | 'holder'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #running: AsyncDisposable;
  #since: number | undefined;

  constructor(own: {
    readonly log: Log;
    readonly place: Pick<StorePlace, 'name' | 'holder'>;
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly pauseMs?: number;
  }) {
    const { log, place, clock, pauseMs = pollMs } = own;
    this.#plain = log;
    this.#place = place;
    this.#clock = clock;
    this.log = {
      debug: (details, message) => log.debug(details, message),
      info: (details, message) => log.info(details, message),
      warn: (details, message) => {
        if (!this.#note(details, message)) log.warn(details, message);
      },
      error: (details, message) => {
        if (!this.#note(details, message)) log.error(details, message);
      },
    };
    this.#running = repeat(() => this.#look(), { pauseMs, onFault: () => undefined });
  }

  /** Whether a line is about an outage. The first one begins it. */
  #note(details: object, first: string): boolean {
    const fault: unknown = 'err' in details ? details.err : undefined;
    if (!(fault instanceof StoreFault) || fault.code !== 'unavailable') return false;
    if (isRefusedStatement(fault)) return false;
    if (this.#since !== undefined) return true;
    this.#since = this.#clock.monotonic();
    const { name: store } = this.#place;
    this.#plain.error(
      { store, reason: fault.message, first },
      'the store cannot be used, retrying until it can',
    );
    return true;
  }

  async #look(): Promise<void> {
    if (this.#since === undefined) return;
    await this.#place.holder();
    const seconds = Math.round((this.#clock.monotonic() - this.#since) / 1_000);
    this.#since = undefined;
    this.#plain.info({ store: this.#place.name, seconds }, 'the store can be used again');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }
}

/** Codes of PostgreSQL for a statement that this user, or a read replica, does not permit. Others work. */
const refusals: ReadonlySet<unknown> = new Set(['42501', '25006']);

function isRefusedStatement({ cause }: StoreFault): boolean {
  return cause instanceof Error && 'code' in cause && refusals.has(cause.code);
}
