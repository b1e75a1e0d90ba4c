import type { Clock } from '../../lib/time/clock.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { ClaimHolder } from '../../store/contract/store-fault.ts';

/** How often the holder of the claim is read, in milliseconds. */
const pollMs = 2_000;

/** Age of the last answer after which the holder is not known, in milliseconds: one read may be late. */
const knownMsMax = 5_000;

/**
 * Which node writes, for a node that does not. The answer is that of the database. While the database does not
 * respond, nobody is known to write.
 */
export class HolderWatch implements AsyncDisposable {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #running: AsyncDisposable;
  #readAt = -Infinity;
  #holder: ClaimHolder | undefined;

  constructor(place: Pick<StorePlace, 'holder'>, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    const read = async (): Promise<void> => {
      const sentAt = clock.monotonic();
      this.#holder = await place.holder();
      this.#readAt = sentAt;
    };
    this.#running = repeat(read, { pauseMs: pollMs, onFault: ignore });
    void read().catch(ignore);
  }

  /** Whether the database has said lately who writes, or that nobody does. */
  get isKnown(): boolean {
    return this.#clock.monotonic() - this.#readAt <= knownMsMax;
  }

  /** The node that writes. Undefined when none does, or when that is not known. */
  get holder(): ClaimHolder | undefined {
    return this.isKnown ? this.#holder : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }
}

/** Other parts of the node report that the database does not respond. */
function ignore(): void {
  // Nothing is known then.
}
