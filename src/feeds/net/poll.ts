import type { Clock } from '../../lib/time/clock.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { FeedFault, type FeedBatch, type FeedMessage } from '../contract/feed.ts';
import type { NetworkObserver } from '../contract/network.ts';
import type { Fetch, Fetched, FetchRequest, Validators } from './fetch-limited.ts';
import type { TradingHours } from '../contract/trading-hours.ts';
import { withoutRepeats } from './without-repeats.ts';

/** The share of an interval by which it is extended at random, so that instances spread out. */
const jitterPart = 0.1;

/** The latest first poll after an open, in milliseconds. */
const afterOpenMsMax = 10_000;

/** After so many unavailable responses in a row the rest of a poll is not requested. */
const unavailableInARowMax = 3;

/** After so many refusals in a row the source refuses access, whatever the path. */
const refusedInARowMax = 10;

/** One of the requests of each poll. */
export interface PollRequest {
  /** Built for each poll, so that a replaced key takes effect. @throws FeedFault without a key. */
  readonly request: () => FetchRequest;
  /**
   * Gives a response its meaning; pure but for what the source must remember between polls.
   *
   * @param signal aborts when the feed ends; for a map that takes time.
   * @throws FeedFault `unintelligible` when the body as a whole is not the data.
   */
  readonly map: (polled: Polled, signal: AbortSignal) => FeedMessage | Promise<FeedMessage>;
  /**
   * Called instead of {@link map} when the response is still the one before (status 304). For a map that
   * compares a response with the one before, whose instant it must know.
   */
  readonly repeat?: (snapshotAt: Polled['snapshotAt']) => void;
  /** Whether a poll sends the request. By default each poll does. */
  readonly isDue?: () => boolean;
  /** Requests that are sent instead, in the same poll, when the source does not answer this one with data. */
  readonly instead?: readonly PollRequest[];
  /** Whether a response may have several prices of one instrument, each with its instant. */
  readonly hasSeries?: boolean;
}

/** A response with the instant that it describes. */
export interface Polled extends Pick<
  Extract<Fetched, { isUnchanged: false }>,
  'text' | 'contentType'
> {
  /**
   * The latest instant that a price without an instant of its own can be of, in epoch milliseconds:
   * the time of the request minus the delay of the source and the age of the response
   * (contract 2.6.7).
   */
  readonly snapshotAt: number;
}

/** How a source is polled. */
export interface PollOptions {
  /** Sent one after the other in each poll. */
  readonly requests: readonly PollRequest[];
  readonly hours: TradingHours;
  /** The interval while a market of the source is open, in milliseconds. */
  readonly pollMs: number;
  /** The interval while all of them are closed, in milliseconds. Never less than `pollMs`. */
  readonly closedPollMs: number;
  /** The pause between two requests of one poll, in milliseconds. */
  readonly spacingMs?: number;
  /** How much later than the market the source is, in milliseconds. */
  readonly delayMs: number;
}

/** What a poller is built from. */
interface PollDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pause: Pause;
  readonly fetch: Fetch;
  readonly observer?: NetworkObserver | undefined;
}

/**
 * Polls a source until the signal aborts. Each request of a poll yields a batch, an empty one where
 * the source has nothing new (status 304).
 *
 * A request that fails does not stop the others of its poll: a refusal (401, 403) may be about its path
 * alone. The poll throws when all of its requests failed, when three in a row found the source unavailable,
 * when ten in a row were refused, and at once when the source limits requests. The supervisor decides when
 * to start again. Then the first poll follows immediately, and begins with the request that was limited: a
 * source that allows fewer requests than a poll has still serves all of them in turn. Validators survive
 * the restart.
 */
export function createPoll(
  options: PollOptions,
  deps: PollDeps,
): (signal: AbortSignal) => AsyncGenerator<FeedBatch, void, undefined> {
  const polled = new Turns(options.requests.map((one) => new PolledRequest(one, options, deps)));
  return async function* poll(signal) {
    while (!signal.aborted) {
      yield* pollOnce(polled, options, deps, signal);
      if (!signal.aborted) deps.observer?.polled();
      await pauseUnlessAborted(deps.pause, waitMs(options, deps), signal);
    }
  };
}

/** The requests of a poll, in the order in which the next poll sends them. */
class Turns {
  #requests: readonly PolledRequest[];

  constructor(requests: readonly PolledRequest[]) {
    this.#requests = requests;
  }

  /** The requests of a poll. */
  get all(): readonly PolledRequest[] {
    return this.#requests;
  }

  /** Lets the next poll begin with a request of the last one. */
  beginWith(request: PolledRequest): void {
    const index = this.#requests.findIndex((one) => one.includes(request));
    this.#requests = [...this.#requests.slice(index), ...this.#requests.slice(0, index)];
  }
}

async function* pollOnce(
  turns: Turns,
  { spacingMs = 0 }: PollOptions,
  { pause }: PollDeps,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  const failed: FeedFault[] = [];
  const inARow = { unavailable: 0, refused: 0 };
  const pending = [...turns.all];
  let hasSucceeded = false;
  let sent = 0;
  while (pending.length > 0) {
    const request = pending.shift();
    if (request === undefined) return;
    if (!request.isDue()) continue;
    if (sent > 0 && spacingMs > 0) await pauseUnlessAborted(pause, spacingMs, signal);
    if (signal.aborted) return;
    sent += 1;
    try {
      yield await request.send(signal);
      inARow.unavailable = 0;
      inARow.refused = 0;
      hasSucceeded = true;
    } catch (fault) {
      if (signal.aborted) return;
      if (!(fault instanceof FeedFault)) throw fault;
      if (fault.code === 'limited') turns.beginWith(request);
      // The other requests would meet the same fault, and would make it worse.
      if (fault.code === 'limited' || fault.code === 'untrusted') throw fault;
      failed.push(fault);
      inARow.unavailable = fault.code === 'unavailable' ? inARow.unavailable + 1 : 0;
      inARow.refused = fault.code === 'refused' ? inARow.refused + 1 : 0;
      if (inARow.unavailable === unavailableInARowMax) throw fault;
      if (inARow.refused === refusedInARowMax) throw fault;
      if (fault.code !== 'unavailable') pending.unshift(...request.instead);
    }
  }
  const [first] = failed;
  if (first === undefined) return;
  if (!hasSucceeded) throw first;
  yield { updates: [], rejected: [], failed };
}

/** How long to wait from now to the next poll. */
function waitMs({ hours, pollMs, closedPollMs }: PollOptions, { clock, random }: PollDeps): number {
  const now = clock.now();
  const spread = 1 + jitterPart * random();
  if (hours.isOpen(now)) return pollMs * spread;
  const closedMs = Math.max(closedPollMs, pollMs) * spread;
  const untilOpenMs = hours.nextOpenAt(now) - now + random() * Math.min(pollMs, afterOpenMsMax);
  return Math.min(closedMs, untilOpenMs);
}

/** A wait that the end of the service cuts short is no fault. */
async function pauseUnlessAborted(pause: Pause, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, signal);
  } catch (fault) {
    if (!signal.aborted) throw fault;
  }
}

/** A request with the validators of its last response. */
class PolledRequest {
  readonly #request: PollRequest;
  readonly #delayMs: number;
  readonly #deps: PollDeps;
  /** As {@link PollRequest.instead}. */
  readonly instead: readonly PolledRequest[];
  #known: Validators | undefined;

  constructor(request: PollRequest, options: PollOptions, deps: PollDeps) {
    this.#request = request;
    this.#delayMs = options.delayMs;
    this.#deps = deps;
    this.instead = (request.instead ?? []).map((one) => new PolledRequest(one, options, deps));
  }

  /** As {@link PollRequest.isDue}. */
  isDue(): boolean {
    return this.#request.isDue?.() ?? true;
  }

  /** Whether another request is this one, or is sent instead of it. */
  includes(other: PolledRequest): boolean {
    return this === other || this.instead.some((one) => one.includes(other));
  }

  async send(signal: AbortSignal): Promise<FeedBatch> {
    const requestedAt = this.#deps.clock.now();
    const request = { ...this.#request.request(), known: this.#known };
    const fetched = await this.#deps.fetch(request, signal);
    // A text of RFC 3339 has whole milliseconds, so the instant survives an expression.
    const snapshotAt = Math.trunc(requestedAt - this.#delayMs - fetched.ageMs);
    if (fetched.isUnchanged) {
      this.#request.repeat?.(snapshotAt);
      return { updates: [], rejected: [] };
    }
    const { text, contentType, validators, observer } = fetched;
    try {
      const mapped = await this.#request.map({ text, contentType, snapshotAt }, signal);
      const message = this.#request.hasSeries === true ? mapped : withoutRepeats(mapped);
      observer?.mapped(message, snapshotAt);
      // Only a body that was understood is not requested again.
      this.#known = validators;
      return { updates: message.updates, rejected: message.rejected };
    } catch (fault) {
      observer?.misunderstood(fault);
      throw fault;
    }
  }
}
