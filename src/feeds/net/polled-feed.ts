import * as v from '@badrap/valita';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { sourceOf, type FeedConfig, type FeedDeps, type FeedType } from '../contract/feed-type.ts';
import { FeedFault, type Feed, type FeedBatch, type FeedMessage } from '../contract/feed.ts';
import { commonFields, networkFields, type NetworkDefaults } from '../contract/fields.ts';
import type { NetworkObserver } from '../contract/network.ts';
import { selectInstruments, tickersOf, type Offer } from '../contract/select-instruments.ts';
import { marketsOf, TradingHours } from '../contract/trading-hours.ts';
import { emptyFeed } from './empty-feed.ts';
import { createFetch, type Fetch, type FetchRequest, type Validators } from './fetch-limited.ts';
import { readJson, type FetchedBody } from './read-body.ts';
import { withoutRepeats } from './without-repeats.ts';

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
export interface Polled extends FetchedBody {
  /**
   * The latest instant that a price without an instant of its own can be of, in epoch milliseconds:
   * the time of the request minus the delay of the source and the age of the response
   * (contract 2.6.7).
   */
  readonly snapshotAt: number;
  /** The value of a JSON body. @throws FeedFault as {@link readJson} does. */
  readonly json: () => unknown;
}

/** The fields of the configuration of a source that {@link polledType} declares. */
export type PolledSourceConfig = v.Infer<ReturnType<typeof schemaOf>>;

function schemaOf(
  type: string,
  defaults: { readonly staleAfterSeconds: number } & NetworkDefaults,
) {
  return v.object({ ...commonFields(type, defaults), ...networkFields(defaults) });
}

/** What a polled source declares: the defaults of its configuration, its instruments, and its requests. */
interface PolledDeclaration
  extends
    NetworkDefaults,
    Pick<PolledSource, 'closedPollSeconds' | 'spacingMs'>,
    Pick<
      FeedType<PolledSourceConfig>,
      'type' | 'createHistory' | 'createIndices' | 'mapRecordedLine'
    > {
  readonly staleAfterSeconds: number;
  readonly offers: Offer;
  /** The requests of a poll for the instruments that are taken from the source, in the order of the universe. */
  readonly requests: (
    instruments: readonly Instrument[],
    config: PolledSourceConfig,
    deps: FeedDeps,
  ) => readonly PollRequest[];
}

/** The type of a feed that polls a source without an account. */
export function polledType(source: PolledDeclaration): FeedType<PolledSourceConfig> {
  const { type, createHistory, createIndices, mapRecordedLine } = source;
  return {
    type,
    schema: schemaOf(type, source),
    ...(createHistory && { createHistory }),
    ...(createIndices && { createIndices }),
    ...(mapRecordedLine && { mapRecordedLine }),
    create(config, deps) {
      const instruments = selectInstruments(source.offers, { universe: deps.universe, config });
      const requests = source.requests(instruments, config, deps);
      return createPolledFeed(config, deps, {
        ...source,
        tickers: tickersOf(instruments),
        requests,
      });
    },
  };
}

/** How to poll a source, and the tickers for which it is used. */
interface PolledSource {
  /**
   * The tickers whose prices are taken from the source. Those of others are left out. The hours of their markets
   * decide how often it is polled.
   */
  readonly tickers: ReadonlySet<Ticker>;
  /** Sent one after the other in each poll. */
  readonly requests: readonly PollRequest[];
  /** The interval while all of their markets are closed, in seconds. Never less than that of the configuration. */
  readonly closedPollSeconds: number;
  /** The pause between two requests of one poll, in milliseconds. */
  readonly spacingMs?: number;
}

/** The configuration of a polled source: {@link networkFields} has these fields. */
interface PolledConfig extends FeedConfig {
  /** The interval while a market of the source is open. */
  readonly pollSeconds: number;
  /** Absent for a source that does not state its delay. */
  readonly delayMinutes?: number | undefined;
}

/** Time after a close, and after the delay of a source, in which it may still change prices, in ms. */
const settleMs = 30 * 60_000;

/**
 * Interval in seconds. A source that is polled less often gives too few prices for the rule that five prices
 * set a close aside, so fewer of them suffice.
 */
const slowPollSeconds = 30;

/** Creates a feed that polls a source over HTTP. Without tickers, it sends no request, and ends. */
export function createPolledFeed(config: PolledConfig, deps: FeedDeps, source: PolledSource): Feed {
  const { tickers, requests } = source;
  if (tickers.size === 0) return emptyFeed(config, deps);
  const { clock, network, universe, fetchLimits: limits } = deps;
  const observer = network?.observer;
  const { delayMinutes, pollSeconds } = config;
  const delayMs = (delayMinutes ?? 0) * 60_000;
  const markets = marketsOf(universe, tickers);
  const hours = new TradingHours(universe, { markets, graceMs: delayMs + settleMs });
  const batches = createPoll(
    { ...source, pollSeconds, delayMs, hours },
    { ...deps, observer, fetch: createFetch({ clock, limits, network }) },
  );
  return {
    ...sourceOf(config),
    delayMinutes,
    tickers,
    isPolledSlowly: pollSeconds > slowPollSeconds,
    batches(signal) {
      const always = requests.filter(({ isDue }) => isDue === undefined);
      observer?.begins({ tickers, kind: 'request', paths: always.length });
      return batches(signal);
    },
  };
}

/** How a source is polled. */
export interface PollOptions extends PolledSource, Pick<PolledConfig, 'pollSeconds'> {
  readonly hours: TradingHours;
  /** How much later than the market the source is, in milliseconds. */
  readonly delayMs: number;
}

/** What a poller is built from. */
interface PollDeps extends Pick<FeedDeps, 'clock' | 'random' | 'pause'> {
  readonly fetch: Fetch;
  readonly observer?: NetworkObserver | undefined;
}

/** After so many unavailable responses in a row the rest of a poll is not requested. */
const unavailableInARowMax = 3;

/**
 * Delay from the end of a poll to the retry of its requests that found the source unavailable, in milliseconds. They are
 * not retried if the next poll is due before that.
 */
const againMs = 15_000;

/** After so many refusals in a row the source refuses access, whatever the path. */
const refusedInARowMax = 10;

/**
 * Polls a source until the signal aborts. Each request of a poll yields a batch, an empty one where
 * the source has nothing new (status 304).
 *
 * A request that fails does not stop the others of its poll: a refusal (401, 403) may be about its path
 * alone. A request that found the source unavailable is retried once before the next poll, which can be hours away.
 * The poll throws when all of its requests failed, when three in a row found the source unavailable,
 * when ten in a row were refused, and at once when the source limits requests. The supervisor decides when
 * to start again. Then the first poll follows immediately, and begins with the request that was limited: a
 * source that allows fewer requests than a poll has still serves all of them in turn. Validators survive
 * the restart.
 */
export function createPoll(
  options: PollOptions,
  deps: PollDeps,
): (signal: AbortSignal) => AsyncGenerator<FeedBatch, void, undefined> {
  const { spacingMs = 0, delayMs, tickers } = options;
  const { clock, fetch, observer } = deps;
  const known = new Map<PollRequest, Validators>();
  let { requests } = options;

  /** Waits. Returns early, without a fault, when the signal aborts. */
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    await deps.pause(ms, signal).catch((fault: unknown) => {
      if (!signal.aborted) throw fault;
    });
  };

  /** Sends a request, with the validators of its last response, and maps the response. */
  const send = async (polled: PollRequest, signal: AbortSignal): Promise<FeedBatch> => {
    const requestedAt = clock.now();
    const fetched = await fetch({ ...polled.request(), known: known.get(polled) }, signal);
    // A text of RFC 3339 has whole milliseconds, so the instant survives an expression.
    const snapshotAt = Math.trunc(requestedAt - delayMs - fetched.ageMs);
    if (fetched.isUnchanged) {
      polled.repeat?.(snapshotAt);
      return { updates: [], rejected: [] };
    }
    const { text, contentType, validators } = fetched;
    try {
      const body = { text, contentType };
      const json = (): unknown => readJson(body);
      const sent = await polled.map({ ...body, snapshotAt, json }, signal);
      const taken = { ...sent, updates: sent.updates.filter(({ ticker }) => tickers.has(ticker)) };
      const message = polled.hasSeries === true ? taken : withoutRepeats(taken);
      fetched.observer?.mapped(message, snapshotAt);
      // Only a body that was understood is not requested again.
      known.set(polled, validators);
      return { updates: message.updates, rejected: message.rejected };
    } catch (fault) {
      fetched.observer?.misunderstood(fault);
      throw fault;
    }
  };

  /** Sends a request. Returns the fault if it failed. @throws a fault that further requests would meet, too. */
  const attempt = async (
    next: PollRequest,
    signal: AbortSignal,
  ): Promise<FeedBatch | FeedFault> => {
    try {
      return await send(next, signal);
    } catch (fault) {
      if (!(fault instanceof FeedFault)) throw fault;
      if (fault.code === 'limited') requests = beginningWith(next, requests);
      if (fault.code === 'limited' || fault.code === 'untrusted') throw fault;
      return fault;
    }
  };

  /** Sends all requests. Returns the faults of those that failed. */
  async function* sendAll(
    signal: AbortSignal,
  ): AsyncGenerator<FeedBatch, Map<PollRequest, FeedFault>, undefined> {
    const failed = new Map<PollRequest, FeedFault>();
    const inARow = { unavailable: 0, refused: 0 };
    const pending = [...requests];
    let sent = 0;
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (next.isDue?.() === false) continue;
      if (sent > 0 && spacingMs > 0) await pause(spacingMs, signal);
      if (signal.aborted) return failed;
      sent += 1;
      const result = await attempt(next, signal);
      if (!(result instanceof FeedFault)) {
        yield result;
        inARow.unavailable = 0;
        inARow.refused = 0;
        continue;
      }
      const { code } = result;
      failed.set(next, result);
      inARow.unavailable = code === 'unavailable' ? inARow.unavailable + 1 : 0;
      inARow.refused = code === 'refused' ? inARow.refused + 1 : 0;
      if (inARow.unavailable === unavailableInARowMax) throw result;
      if (inARow.refused === refusedInARowMax) throw result;
      if (code !== 'unavailable') pending.unshift(...(next.instead ?? []));
    }
    const [first] = failed.values();
    if (first !== undefined && failed.size === sent) throw first;
    return failed;
  }

  /** Retries failed requests, each once. Those that succeed are removed from the faults. */
  async function* sendAgain(
    again: readonly PollRequest[],
    failed: Map<PollRequest, FeedFault>,
    signal: AbortSignal,
  ): AsyncGenerator<FeedBatch, void, undefined> {
    for (const [index, next] of again.entries()) {
      const pauseMs = index === 0 ? againMs : spacingMs;
      if (pauseMs > 0) await pause(pauseMs, signal);
      if (signal.aborted) return;
      const result = await attempt(next, signal);
      if (result instanceof FeedFault) {
        failed.set(next, result);
        continue;
      }
      failed.delete(next);
      yield result;
    }
  }

  return async function* poll(signal) {
    try {
      while (!signal.aborted) {
        const failed = yield* sendAll(signal);
        let untilNextMs = waitMs(options, deps);
        const again = [...failed.keys()].filter((one) => failed.get(one)?.code === 'unavailable');
        if (again.length > 0 && untilNextMs > againMs) {
          yield* sendAgain(again, failed, signal);
          // The retries do not delay the next poll.
          untilNextMs -= againMs;
        }
        if (signal.aborted) return;
        if (failed.size > 0) yield { updates: [], rejected: [], failed: [...failed.values()] };
        observer?.polled();
        await pause(untilNextMs, signal);
      }
    } catch (fault) {
      if (!signal.aborted) throw fault;
    }
  };
}

/** The requests of a poll in the order in which the next one sends them. */
function beginningWith(
  request: PollRequest,
  requests: readonly PollRequest[],
): readonly PollRequest[] {
  const isOf = (one: PollRequest): boolean => one === request || (one.instead ?? []).some(isOf);
  const index = requests.findIndex(isOf);
  return [...requests.slice(index), ...requests.slice(0, index)];
}

/** The share of an interval by which it is extended at random, so that instances spread out. */
const jitterPart = 0.1;

/** The latest first poll after an open, in milliseconds. */
const afterOpenMsMax = 10_000;

/** How long to wait from now to the next poll. */
function waitMs(
  { hours, pollSeconds, closedPollSeconds }: PollOptions,
  { clock, random }: PollDeps,
): number {
  const pollMs = pollSeconds * 1_000;
  const now = clock.now();
  const spread = 1 + jitterPart * random();
  if (hours.isOpen(now)) return pollMs * spread;
  const closedMs = Math.max(closedPollSeconds * 1_000, pollMs) * spread;
  const untilOpenMs = hours.nextOpenAt(now) - now + random() * Math.min(pollMs, afterOpenMsMax);
  return Math.min(closedMs, untilOpenMs);
}
