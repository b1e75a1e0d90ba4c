import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import type { Bus } from '../bus/bus.ts';
import type { Quote } from '../domain/quote.ts';
import type { StoredQuote } from '../domain/stored-quote.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { SessionClose, Turn } from '../engine/engine.ts';
import { isPowerOfTwo } from '../lib/is-power-of-two.ts';
import type { Log } from '../lib/log.ts';
import type { QuoteCommit, QuoteStore } from '../store/quote-store.ts';

/** Pauses before a failed commit is tried again, in ms: the last one repeats. */
const retryPausesMs = [50, 200, 1_000];

/**
 * Makes the engine's turns durable, and only then shows them: whatever a client has seen survives
 * the loss of power, so a version is never given twice.
 *
 * One commit is under way at a time. Turns that come meanwhile wait together, conflated to the
 * latest state per instrument, and make the next commit: the busier it is, the larger the groups, so
 * the wait stays about two commits long whatever the rate. What waits is bounded by the universe:
 * one quote an instrument, one close an instrument and day.
 *
 * A commit that fails (a full disk) is told to those who wait for it, put back below what came
 * since, and tried again until it succeeds, whatever the fault: a quote that could never be stored
 * is replaced by the next of its instrument. Nothing is shown meanwhile. Of many failures in a row the
 * log hears of the first, second, fourth and so on, and of their end.
 */
export class Persist implements AsyncDisposable {
  readonly #quotes: QuoteStore;
  readonly #bus: Bus;
  readonly #log: Log;
  #waiting = new Group();
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(deps: { readonly quotes: QuoteStore; readonly bus: Bus; readonly log: Log }) {
    this.#quotes = deps.quotes;
    this.#bus = deps.bus;
    this.#log = deps.log;
  }

  /**
   * Resolves when this turn, and all that was submitted before it, is durable and shown. Rejects
   * with the store's fault when a commit that held it failed; it will be tried again even so.
   */
  submit(turn: Turn): Promise<void> {
    this.#waiting.add(turn);
    if (this.#waiting.isEmpty && this.#running === undefined) return Promise.resolve();
    const { promise } = this.#waiting;
    this.#running ??= this.#run();
    return promise;
  }

  /** How many quotes wait for the commit after the one under way. */
  get backlog(): number {
    return this.#waiting.stored.size;
  }

  async #run(): Promise<void> {
    // One turn of the event loop, so that what arrives together is committed together.
    await nextTurn();
    let failures = 0;
    while (!this.#waiting.isSettled) {
      const group = this.#waiting;
      this.#waiting = new Group();
      const isLastTry = this.#stopping.signal.aborted;
      const failure = await this.#commit(group);
      if (failure === undefined) {
        if (failures > 0) this.#log.info({ failures }, 'quotes are stored again');
        failures = 0;
        this.#bus.publish(group.toPublish());
        group.resolve();
        continue;
      }
      this.#takeBack(group, failure, failures);
      if (isLastTry) {
        this.#giveUp(failure);
        break;
      }
      await this.#pause(failures);
      failures += 1;
    }
    this.#running = undefined;
  }

  /** Gives why the group is not durable; undefined when it is. */
  async #commit(group: Group): Promise<{ readonly fault: unknown } | undefined> {
    try {
      if (!group.isEmpty) await this.#quotes.commit(group.toCommit());
      return undefined;
    } catch (fault) {
      return { fault };
    }
  }

  #takeBack(group: Group, { fault }: { readonly fault: unknown }, failures: number): void {
    group.reject(fault);
    this.#waiting.putBelow(group);
    // A disk may stay full for days, and the log may be on it.
    if (!isPowerOfTwo(failures + 1)) return;
    this.#log.error(
      { err: fault, failures: failures + 1 },
      'quotes could not be stored; trying again',
    );
  }

  #giveUp({ fault }: { readonly fault: unknown }): void {
    // Whoever came meanwhile waits for a commit that nobody will try. What they brought is kept, so
    // that nobody is ever told that it is durable.
    const abandoned = this.#waiting;
    this.#waiting = new Group();
    this.#waiting.putBelow(abandoned);
    abandoned.reject(fault);
    this.#log.error({ err: fault }, 'quotes could not be stored before the end');
  }

  async #pause(failures: number): Promise<void> {
    const pauseMs = retryPausesMs[Math.min(failures, retryPausesMs.length - 1)];
    await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Commits what waits, once more even after failures, and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

/** Turns that become durable together, and who waits for them. */
class Group {
  readonly stored = new Map<Ticker, StoredQuote>();
  readonly quotes = new Map<Ticker, Quote>();
  readonly closes = new Map<string, SessionClose>();
  readonly #settled = Promise.withResolvers<void>();
  #waiters = 0;

  constructor() {
    // Whoever waits hears of a failure; when nobody does, it is logged and no crash.
    this.#settled.promise.catch(() => undefined);
  }

  get isEmpty(): boolean {
    return this.stored.size === 0 && this.closes.size === 0 && this.quotes.size === 0;
  }

  /** Whether there is neither anything to do nor anybody waiting. */
  get isSettled(): boolean {
    return this.isEmpty && this.#waiters === 0;
  }

  get promise(): Promise<void> {
    this.#waiters += 1;
    return this.#settled.promise;
  }

  add({ stored, quotes, closes }: Turn): void {
    for (const one of stored) this.stored.set(one.ticker, one);
    for (const one of quotes) this.quotes.set(one.instrument.ticker, one);
    for (const one of closes) this.closes.set(`${one.ticker}\n${one.close.day}`, one);
  }

  /** Takes what an older group holds and this one does not. */
  putBelow(older: Group): void {
    for (const [key, one] of older.stored) if (!this.stored.has(key)) this.stored.set(key, one);
    for (const [key, one] of older.quotes) if (!this.quotes.has(key)) this.quotes.set(key, one);
    for (const [key, one] of older.closes) if (!this.closes.has(key)) this.closes.set(key, one);
  }

  toCommit(): QuoteCommit {
    return { quotes: [...this.stored.values()], closes: [...this.closes.values()] };
  }

  /** In order of version: who has seen one may rely on having been shown all before it. */
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
