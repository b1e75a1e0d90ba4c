import type { Clock } from '../../lib/clock.ts';
import type { Pause } from '../../lib/pause.ts';
import { FeedFault } from '../feed.ts';
import type { FeedBatch } from '../feed.ts';
import type { Fetch, Fetched, FetchRequest, Validators } from './fetch-limited.ts';
import type { TradingHours } from './trading-hours.ts';

/** The share of an interval by which it is extended at random, so that instances spread out. */
const jitterPart = 0.1;

/** The latest first poll after an open, in milliseconds. */
const afterOpenMsMax = 10_000;

/** After so many unavailable responses in a row the rest of a poll is not requested. */
const unavailableInARowMax = 3;

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
  readonly map: (
    polled: Polled,
    signal: AbortSignal,
  ) => Omit<FeedBatch, 'failed'> | Promise<Omit<FeedBatch, 'failed'>>;
  /**
   * Called instead of {@link map} when the response is still the one before (status 304). For a map that
   * compares a response with the one before, whose instant it must know.
   */
  readonly repeat?: (snapshotAt: Polled['snapshotAt']) => void;
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
export interface PollDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pause: Pause;
  readonly fetch: Fetch;
}

/**
 * Polls a source until the signal aborts. Each request of a poll yields a batch, an empty one where
 * the source has nothing new (status 304).
 *
 * A request that fails does not stop the others of its poll. The poll throws when all of its requests
 * failed, when three in a row found the source unavailable, and at once when the source limits
 * requests or refuses the first one. The supervisor decides when to start again; then the first poll
 * follows immediately. Validators survive the restart.
 */
export function createPoll(
  options: PollOptions,
  deps: PollDeps,
): (signal: AbortSignal) => AsyncGenerator<FeedBatch, void, undefined> {
  const polled = options.requests.map((request) => new PolledRequest(request, options, deps));
  return async function* poll(signal) {
    while (!signal.aborted) {
      yield* pollOnce(polled, options, deps, signal);
      await pauseUnlessAborted(deps.pause, waitMs(options, deps), signal);
    }
  };
}

async function* pollOnce(
  requests: readonly PolledRequest[],
  { spacingMs = 0 }: PollOptions,
  { pause }: PollDeps,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  const failed: FeedFault[] = [];
  let unavailableInARow = 0;
  let hasSucceeded = false;
  for (const [index, request] of requests.entries()) {
    if (index > 0 && spacingMs > 0) await pauseUnlessAborted(pause, spacingMs, signal);
    if (signal.aborted) return;
    try {
      yield await request.send(signal);
      unavailableInARow = 0;
      hasSucceeded = true;
    } catch (fault) {
      if (signal.aborted) return;
      if (!(fault instanceof FeedFault) || isOfWholeSource(fault, hasSucceeded)) throw fault;
      failed.push(fault);
      unavailableInARow = fault.code === 'unavailable' ? unavailableInARow + 1 : 0;
      if (unavailableInARow === unavailableInARowMax) throw fault;
    }
  }
  const [first] = failed;
  if (first === undefined) return;
  if (failed.length === requests.length) throw first;
  yield { updates: [], rejected: [], failed };
}

/**
 * Whether the other requests would meet the same fault, and would make it worse. A refusal after
 * another request of the poll succeeded is about the path alone: some sources answer 401 for a path
 * that they do not have.
 */
function isOfWholeSource({ code }: FeedFault, hasSucceeded: boolean): boolean {
  return code === 'limited' || code === 'untrusted' || (code === 'refused' && !hasSucceeded);
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
  #known: Validators | undefined;

  constructor(request: PollRequest, { delayMs }: PollOptions, deps: PollDeps) {
    this.#request = request;
    this.#delayMs = delayMs;
    this.#deps = deps;
  }

  async send(signal: AbortSignal): Promise<FeedBatch> {
    const requestedAt = this.#deps.clock.now();
    const request = { ...this.#request.request(), known: this.#known };
    const fetched = await this.#deps.fetch(request, signal);
    const snapshotAt = requestedAt - this.#delayMs - fetched.ageMs;
    if (fetched.isUnchanged) {
      this.#request.repeat?.(snapshotAt);
      return { updates: [], rejected: [] };
    }
    const { text, contentType, validators } = fetched;
    const batch = await this.#request.map({ text, contentType, snapshotAt }, signal);
    // Only a body that was understood is not requested again.
    this.#known = validators;
    return batch;
  }
}
