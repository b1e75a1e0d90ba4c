import { setImmediate as nextTurn } from 'node:timers/promises';

import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { SessionClose, ChangeSet } from '../../engine/change-set.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime, type Pause } from '../../lib/time/pause.ts';
import type { QuoteCommit, QuoteStore } from '../../store/contract/quote-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { CommitPace, type CommitPacing } from './commit-pace.ts';

/** Pauses before a failed commit is retried, in milliseconds. Every further pause is the longest one. */
const retryPausesMs = [50, 200];
const longestPauseMs = 1_000;

/**
 * Maximum number of finished bars that are queued while commits fail: about 40 MB. Then the oldest ones
 * are dropped. The callers of their updates got the fault.
 */
const waitingBarsMax = 200_000;

/** What {@link Persist} depends on. */
interface PersistDeps {
  readonly quotes: Pick<QuoteStore, 'commit'>;
  /** Shows quotes to readers, without waiting for them. It is called after their commit, in the order of versions. */
  readonly publish: (quotes: readonly Quote[]) => void;
  readonly log: Log;
  /** The time of each commit, for the memory of changes. */
  readonly clock: Pick<Clock, 'now'>;
  /** Waits, until the signal is aborted. The default waits in real time. */
  readonly pause?: Pause;
  /** Makes fewer and larger commits under load. By default, a commit starts when the one before has ended. */
  readonly pacing?: (CommitPacing & { readonly monotonic: () => number }) | undefined;
  /** Receives the closes of other sources that the closes of sessions have replaced. */
  readonly onConflicts?: (conflicts: readonly CloseConflict[]) => void;
  /** Called once, when a commit was rejected as `fenced`, or {@link Persist.fence} was called. */
  readonly onFenced?: (fault: StoreFault) => void;
}

/**
 * Stores the engine's change sets durably, and publishes them only after that (docs/decisions/0002). So a quote
 * that a client has seen survives a power failure, and a version is never assigned twice.
 *
 * One commit is under way at a time. Change sets that arrive meanwhile are queued, conflated to the latest
 * state of each instrument, and form the next commit. The groups grow with the load, so a change set waits
 * about two commits at any rate. With a pacing, it also waits for the gap between commits under load. The queue
 * has at most one quote for each instrument, one close for each instrument and day, and `waitingBarsMax` bars.
 *
 * When a commit fails (for example because the disk is full), the callers that wait for it get the
 * fault. The group is merged into the queue, where newer entries take precedence, and is retried until
 * it succeeds. This applies to every other fault: a quote that can never be stored is eventually replaced
 * by the next quote of its instrument. Nothing is published meanwhile. The log has the first, second,
 * fourth, eighth and so on of the failures in a row, and the recovery.
 *
 * Only a `fenced` commit is not retried: another writer has the claim, and continues from what is stored.
 * The queue is dropped. All callers get the fault, also those of later change sets. Nothing is published again.
 */
export class Persist implements AsyncDisposable {
  readonly #deps: PersistDeps;
  readonly #pause: Pause;
  readonly #pace: CommitPace | undefined;
  #fenced: StoreFault | undefined;
  #waiting = new Group();
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(deps: PersistDeps) {
    this.#deps = deps;
    this.#pause = deps.pause ?? pauseInRealTime;
    this.#pace = deps.pacing && new CommitPace(deps.pacing);
  }

  /**
   * Resolves when this change set and all earlier ones are durable and published. Rejects with the store's
   * fault when a commit that contained the change set failed. The commit is retried nevertheless, unless the
   * fault is `fenced`.
   *
   * @param isContinued whether the caller submits a further change set soon. A change set that is continued starts
   *   no commit, so that the parts of a batch are committed together.
   */
  submit(
    changes: ChangeSet,
    { isContinued = false }: { readonly isContinued?: boolean } = {},
  ): Promise<void> {
    if (this.#fenced !== undefined) return Promise.reject(this.#fenced);
    this.#waiting.add(changes);
    if (this.#waiting.isEmpty && this.#running === undefined) return Promise.resolve();
    const { promise } = this.#waiting;
    if (!isContinued) this.#running ??= this.#run();
    return promise;
  }

  /**
   * Stops storing at once, because the claim is lost. The queue is dropped, and its callers get the fault.
   * A commit that is under way may still succeed: the store decides. Later calls have no effect.
   */
  fence(fault: StoreFault): void {
    if (this.#fenced !== undefined) return;
    this.#fenced = fault;
    const dropped = this.#waiting;
    this.#waiting = new Group();
    this.#deps.log.warn(
      { err: fault, quotes: dropped.stored.size },
      'claim lost, no more quotes are stored',
    );
    dropped.reject(fault);
    this.#deps.onFenced?.(fault);
  }

  /** Number of quotes that are queued for the next commit. */
  get backlog(): number {
    return this.#waiting.stored.size;
  }

  async #run(): Promise<void> {
    // Wait for one turn of the event loop, so that change sets that arrive together are committed together.
    await nextTurn();
    let failures = 0;
    while (!this.#waiting.isSettled) {
      await this.#keepPace();
      const group = this.#waiting;
      this.#waiting = new Group();
      const isLastTry = this.#stopping.signal.aborted;
      const failure = await this.#commit(group);
      if (failure === undefined) {
        if (failures > 0) this.#deps.log.info({ failures }, 'quotes stored again');
        failures = 0;
        this.#deps.publish(group.toPublish());
        group.resolve();
        continue;
      }
      const { fault } = failure;
      if (fault instanceof StoreFault && fault.code === 'fenced') this.fence(fault);
      if (this.#fenced !== undefined) {
        group.reject(this.#fenced);
        break;
      }
      this.#takeBack(group, failure, failures);
      if (isLastTry) {
        this.#giveUp(failure);
        break;
      }
      // The end of the service cuts the pause short.
      await this.#pause(pauseMsAfter(failures), this.#stopping.signal).catch(() => undefined);
      failures += 1;
    }
    this.#running = undefined;
  }

  /** Waits until the next commit may start. Change sets that arrive meanwhile are part of it. */
  async #keepPace(): Promise<void> {
    const { pacing } = this.#deps;
    if (pacing === undefined || this.#pace === undefined || this.#waiting.isEmpty) return;
    const { signal } = this.#stopping;
    const waitMs = this.#pace.waitMs(pacing.monotonic());
    // The end of the service cuts it short.
    if (waitMs > 0 && !signal.aborted) await this.#pause(waitMs, signal).catch(() => undefined);
    this.#pace.started(pacing.monotonic());
  }

  /** Returns undefined when the group is durable, and the fault otherwise. */
  async #commit(group: Group): Promise<{ readonly fault: unknown } | undefined> {
    try {
      if (group.isEmpty) return undefined;
      const conflicts = await this.#deps.quotes.commit(group.toCommit(this.#deps.clock.now()));
      if (conflicts.length > 0) this.#deps.onConflicts?.(conflicts);
      return undefined;
    } catch (fault) {
      return { fault };
    }
  }

  #takeBack(group: Group, { fault }: { readonly fault: unknown }, failures: number): void {
    group.reject(fault);
    const dropped = this.#waiting.putBelow(group);
    if (dropped > 0) this.#deps.log.error({ bars: dropped }, 'bars dropped, too many are queued');
    // A disk may stay full for days, and the log may be on it. So most failures are not logged.
    if (!isPowerOfTwo(failures + 1)) return;
    this.#deps.log.error({ err: fault, failures: failures + 1 }, 'quotes not stored, retrying');
  }

  #giveUp({ fault }: { readonly fault: unknown }): void {
    // Change sets that arrived during the last commit wait for a commit that will not happen, so their
    // callers get the fault. The change sets stay queued, so that a later submit that repeats them does not
    // resolve as if they were durable.
    const abandoned = this.#waiting;
    this.#waiting = new Group();
    this.#waiting.putBelow(abandoned);
    abandoned.reject(fault);
    this.#deps.log.error({ err: fault }, 'quotes not stored before shutdown');
  }

  /** Commits the queue, then stops. After a failure, the commit is tried once more. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#waiting.isEmpty) this.#running ??= this.#run();
    this.#stopping.abort();
    await this.#running;
  }
}

/** The pause after a failed commit, in milliseconds. `failures` is the number of failures before it. */
export function pauseMsAfter(failures: number): number {
  return retryPausesMs[failures] ?? longestPauseMs;
}

/** Change sets that are committed together, and the promise of the callers that wait for them. */
class Group {
  readonly stored = new Map<Ticker, StoredQuote>();
  readonly quotes = new Map<Ticker, Quote>();
  readonly closes = new Map<string, SessionClose>();
  /** In order of time for each instrument. */
  bars: TickerBar[] = [];
  readonly #settled = Promise.withResolvers<void>();
  #waiters = 0;

  constructor() {
    // The callers handle a failure. When there are none, it must not become an unhandled rejection.
    this.#settled.promise.catch(() => undefined);
  }

  get isEmpty(): boolean {
    const { stored, closes, quotes, bars } = this;
    return stored.size === 0 && closes.size === 0 && quotes.size === 0 && bars.length === 0;
  }

  /** Whether there is nothing to commit and no caller waits. */
  get isSettled(): boolean {
    return this.isEmpty && this.#waiters === 0;
  }

  get promise(): Promise<void> {
    this.#waiters += 1;
    return this.#settled.promise;
  }

  add({ stored, quotes, closes, bars }: ChangeSet): void {
    for (const one of stored) this.stored.set(one.ticker, one);
    for (const one of quotes) this.quotes.set(one.instrument.ticker, one);
    for (const one of closes) this.closes.set(`${one.ticker}\n${one.close.day}`, one);
    for (const one of bars) this.bars.push(one);
  }

  /**
   * Adds the entries of an older group. The entries of this group take precedence. Gives the number of
   * bars that were dropped.
   */
  putBelow(older: Group): number {
    for (const [key, one] of older.stored) if (!this.stored.has(key)) this.stored.set(key, one);
    for (const [key, one] of older.quotes) if (!this.quotes.has(key)) this.quotes.set(key, one);
    for (const [key, one] of older.closes) if (!this.closes.has(key)) this.closes.set(key, one);
    const bars = [...older.bars, ...this.bars];
    this.bars = bars.slice(-waitingBarsMax);
    return bars.length - this.bars.length;
  }

  toCommit(storedAt: number): QuoteCommit {
    const { stored, closes, bars } = this;
    return { quotes: [...stored.values()], closes: [...closes.values()], storedAt, bars };
  }

  /** In order of version: a reader that has a version has received all quotes with lower versions. */
  toPublish(): readonly Quote[] {
    return [...this.quotes.values()].sort((a, b) => a.version - b.version);
  }

  resolve(): void {
    this.#settled.resolve();
  }

  reject(fault: unknown): void {
    this.#settled.reject(fault);
  }
}
