import { repeat } from '../../lib/time/repeat.ts';
import type { StoreHints } from '../../store/contract/store.ts';
import { Follower, type FollowAction } from '../../cluster/follower.ts';
import { storeFollowTiming } from '../../cluster/timing.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { quotesOfStored, type StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import { Driver } from '../../lib/time/driver.ts';

/** How often the store is polled for changes of anything but quotes and keys, in milliseconds. */
const historyPollMs = 250;

/**
 * Reads the changes of anything but quotes and keys until disposed: periodically, and at once when the store hints at
 * one.
 */
export function followChanges(
  catchUp: () => Promise<void>,
  { hints, onFault }: { readonly hints: StoreHints; readonly onFault: (fault: unknown) => void },
): AsyncDisposable {
  const following = repeat(catchUp, { pauseMs: historyPollMs, onFault });
  const hinted = hints.subscribe((what) => {
    if (what !== 'quotes' && what !== 'keys') following.wake();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      hinted[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

/**
 * Shortest time from one pull to the next, in milliseconds. A writer may commit more often than readers
 * notice, and each pull takes processor time of the database.
 */
const pullGapMs = 15;

/** What a {@link StoreFollower} reads. */
interface FollowedStore {
  /** The stored quotes whose version is greater, ascending by version. */
  readonly readNewer: (version: number) => Promise<readonly StoredQuote[]>;
  /** Calls `onHint` when quotes may have been stored, until the subscription is disposed. */
  readonly subscribe: (onHint: () => void) => Disposable;
}

/** Options of {@link StoreFollower.open}. */
interface FollowOptions {
  readonly store: FollowedStore;
  readonly universe: Universe;
  readonly publish: (quotes: readonly Quote[]) => void;
  /** Milliseconds since an arbitrary instant. */
  readonly monotonic: () => number;
  /** Numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Called with the first, second, fourth, eighth and so on of the failures in a row. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * The way from a writer to the boards of other processes, through the store: the commit of a quote is its
 * message. The follower publishes everything newer than what it has, at once when the store hints at it
 * and at least every second. {@link Follower} decides when. A hint that is lost costs a second, and nothing
 * else.
 *
 * One pull is under way at a time. A slow one is awaited; the store ends a statement that takes too long.
 *
 * While the store is unavailable, nothing is published, and {@link ageMs} grows.
 */
export class StoreFollower implements Disposable {
  readonly #options: FollowOptions;
  readonly #follower: Follower;
  readonly #driver: Driver<FollowAction>;
  readonly #hints: Disposable;
  readonly #first = Promise.withResolvers<void>();
  #gap: NodeJS.Timeout | undefined;
  #pulledAt = -Infinity;
  #failures = 0;
  #isDisposed = false;

  private constructor(options: FollowOptions) {
    this.#options = options;
    this.#follower = new Follower(options.random, storeFollowTiming);
    this.#driver = new Driver(this.#follower, {
      monotonic: options.monotonic,
      act: (action, now) => {
        // The store connects by itself, and notices a dead connection.
        if (action === 'connect') this.#follower.connected(now);
        if (action === 'pull') void this.#pull(now);
      },
    });
    this.#hints = options.store.subscribe(() => this.#hinted());
    this.#driver.drive();
  }

  /**
   * Starts to follow. The first pull is published when the promise resolves.
   *
   * @throws the fault of the first pull.
   */
  static async open(options: FollowOptions): Promise<StoreFollower> {
    const follower = new StoreFollower(options);
    try {
      await follower.#first.promise;
      return follower;
    } catch (fault) {
      follower[Symbol.dispose]();
      throw fault;
    }
  }

  /** Time since the store last confirmed that there is nothing newer, in milliseconds. */
  get ageMs(): number {
    return this.#follower.ageMs(this.#options.monotonic());
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#hints[Symbol.dispose]();
    this.#driver.stop();
    clearTimeout(this.#gap);
  }

  async #pull(sentAt: number): Promise<void> {
    this.#pulledAt = sentAt;
    try {
      const newer = await this.#options.store.readNewer(this.#follower.position);
      this.#follower.pulled(sentAt, newer.at(-1)?.version, this.#now());
      this.#failures = 0;
      if (!this.#isDisposed) this.#publish(newer);
      this.#first.resolve();
    } catch (fault) {
      this.#follower.failed(this.#now());
      this.#failures += 1;
      if (isPowerOfTwo(this.#failures)) this.#options.onFault(fault);
      this.#first.reject(fault);
    }
    this.#driver.drive();
  }

  #publish(stored: readonly StoredQuote[]): void {
    const { universe, publish } = this.#options;
    const quotes = quotesOfStored(universe, stored);
    if (quotes.length > 0) publish(quotes);
  }

  #hinted(): void {
    if (this.#gap !== undefined) return;
    const pauseMs = this.#pulledAt + pullGapMs - this.#now();
    if (pauseMs <= 0) return this.#pullAtOnce();
    this.#gap = setTimeout(() => this.#pullAtOnce(), pauseMs);
  }

  #pullAtOnce(): void {
    clearTimeout(this.#gap);
    this.#gap = undefined;
    this.#follower.hinted(this.#now());
    this.#driver.drive();
  }

  #now(): number {
    return this.#options.monotonic();
  }
}
