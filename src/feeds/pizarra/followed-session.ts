import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { type FeedBatch, FeedFault, reject } from '../contract/feed.ts';
import { chunksOf } from '../net/chunks-of.ts';
import { BarCatchUp } from './bar-catch-up.ts';
import { followStream, tickersPerStream } from './follow-stream.ts';
import { chainOf, followerField, mapHealth, originsField } from './origin-health.ts';
import {
  type FollowedUpdate,
  type MapQuoteContext,
  type OriginInstrument,
  mapEspecies,
} from './origin-rows.ts';
import { type Origin, type PizarraConfig, retried } from './origin.ts';
import { PendingBatch } from './pending-batch.ts';

/** How often the state of the origin is read, in milliseconds. */
const healthEveryMs = 10_000;

/** How often the sources and their delays are read, in milliseconds. */
const listingEveryMs = 60_000;

/** The soonest that they are read for a source that is not known yet, in milliseconds. */
const listingSoonMs = 1_000;

/** What follows an origin. */
interface SessionParts {
  readonly origin: Origin;
  readonly config: PizarraConfig;
  readonly deps: FeedDeps;
  readonly tickers: ReadonlySet<Ticker>;
  readonly context: MapQuoteContext;
  /** Whether all is read once, for a check. */
  readonly isOnce: boolean;
}

/**
 * The connections to an origin while its instruments stay the same: its streams, its state, and the list of
 * its instruments, which has the delay of each source.
 */
export class FollowedSession {
  readonly signal: AbortSignal;
  readonly #parts: SessionParts;
  readonly #ended = new AbortController();
  readonly #pending = new PendingBatch();
  /** The delays that the origin lists, by {@link delayKey}: a quote names its source, and not the delay. */
  #delays: ReadonlyMap<string, number | undefined> = new Map();
  /** The latest quote of each instrument, whose source may be listed later. */
  readonly #latest = new Map<Ticker, FollowedUpdate>();
  #offered: readonly Ticker[] = [];
  /** The id of the running origin. */
  #instance = '';
  #hasChanged = false;
  /** Aborting it ends the wait before the instruments of the origin are listed again. */
  #listingIsDue = new AbortController();

  constructor(parts: SessionParts, signal: AbortSignal) {
    this.#parts = parts;
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
  }

  /** Reads the state and the list, then opens the streams. @throws FeedFault */
  async open(): Promise<void> {
    const { tickers, deps, isOnce } = this.#parts;
    const { observer } = deps.network ?? {};
    const streams = Math.ceil(tickers.size / tickersPerStream);
    observer?.begins({ tickers, kind: 'request', paths: streams + 2 });
    await this.#readHealth();
    const instruments = await this.#readListing();
    this.#adoptDelays(instruments);
    this.#offered = offeredOf(instruments, tickers);
    const offered = new Set(this.#offered);
    const lacking = [...tickers].filter((ticker) => !offered.has(ticker));
    this.#pending.reject(lacking.map((ticker) => reject('not-offered', ticker, ticker)));
    this.#openStreams();
    if (isOnce) return;
    const { pause } = deps;
    void this.#repeat(
      (signal) => pause(healthEveryMs, signal),
      () => this.#readHealth(),
    );
    void this.#followListing();
  }

  /** The next batch, or that the instruments of the origin have changed. @throws FeedFault */
  async next(): Promise<FeedBatch | 'changed'> {
    await this.#pending.ready(this.signal);
    return this.#hasChanged ? 'changed' : this.#pending.take();
  }

  close(): void {
    const { deps, config } = this.#parts;
    deps.follows?.note(config.name, []);
    this.#ended.abort();
  }

  #openStreams(): void {
    const { origin, deps, config, context, isOnce } = this.#parts;
    const pending = this.#pending;
    const { latestBar, network } = deps;
    const bars =
      latestBar && new BarCatchUp({ origin, deps, feed: config.name, latestBar, pending });
    const chunks = chunksOf(this.#offered, tickersPerStream);
    let incomplete = chunks.length;
    const onComplete = (): void => {
      incomplete -= 1;
      if (incomplete === 0) network?.observer?.polled();
    };
    for (const [index, chunk] of chunks.entries()) {
      const part = `stream ${index + 1}`;
      const onQuote = (update: FollowedUpdate): void => this.#take(update);
      const onSelectionChanged = (): void => this.#change();
      const instance = this.#instance;
      const instanceNow = async (): Promise<string> => {
        await this.#readHealth();
        return this.#instance;
      };
      const parts = { part, origin, pending, context, bars, isOnce, instance, instanceNow };
      const events = { onQuote, onComplete, onSelectionChanged };
      void followStream(chunk, { ...parts, ...events }, this.signal);
    }
    if (chunks.length === 0) network?.observer?.polled();
  }

  async #readHealth(): Promise<void> {
    const { origin, deps, config } = this.#parts;
    const { follows } = deps;
    const { instance, outage, stale } = await origin.read(
      {
        path: '/healthz',
        timeoutMs: origin.headMs,
        ...(follows && { headers: { [followerField]: follows.instance } }),
        send: (client, options) => client.health(options),
        map(sent, head) {
          const health = mapHealth(sent);
          const origins = head.get(originsField);
          follows?.note(config.name, chainOf(follows.instance, { ...health, origins }));
          return health;
        },
      },
      this.signal,
    );
    this.#instance = instance;
    this.#pending.outage('state', outage);
    this.#pending.stale(stale);
  }

  /** The instruments that the origin and this service have, with their sources. Others are not kept. */
  async #readListing(): Promise<readonly OriginInstrument[]> {
    const { origin, tickers } = this.#parts;
    return await origin.read(
      {
        path: '/especies.json',
        timeoutMs: origin.headMs,
        send: (client, options) => client.instruments({}, options),
        map: ({ data }) => mapEspecies(data).filter(({ ticker }) => tickers.has(ticker as Ticker)),
      },
      this.signal,
    );
  }

  /** Passes on a quote with the delay of its source. */
  #take(update: FollowedUpdate): void {
    const { ticker, followed } = update;
    const before = this.#latest.get(ticker)?.followed;
    this.#latest.set(ticker, update);
    this.#pending.add(this.#withDelay(update));
    const { source, hasInstant } = followed;
    const key = delayKey(ticker, source.name);
    // A derived instrument has its delay, without a source, from its first price on.
    const isListed =
      source.name === undefined
        ? before?.hasInstant === hasInstant || this.#delays.get(key) !== undefined
        : this.#delays.has(key);
    if (!isListed) this.#listingIsDue.abort();
  }

  #withDelay(update: FollowedUpdate): FollowedUpdate {
    const { ticker, followed } = update;
    const delayMinutes = this.#delays.get(delayKey(ticker, followed.source.name));
    if (delayMinutes === undefined) return update;
    return { ...update, followed: { ...followed, source: { ...followed.source, delayMinutes } } };
  }

  /** Reads the list now and then, and soon for a source that is not in it. */
  async #followListing(): Promise<void> {
    const { pause } = this.#parts.deps;
    await this.#repeat(
      async (signal) => {
        await pause(listingSoonMs, signal);
        const either = AbortSignal.any([this.#listingIsDue.signal, signal]);
        await pause(listingEveryMs - listingSoonMs, either).catch(() => signal.throwIfAborted());
      },
      async () => {
        this.#listingIsDue = new AbortController();
        const instruments = await this.#readListing();
        const offered = offeredOf(instruments, this.#parts.tickers);
        if (offered.join() !== this.#offered.join()) this.#change();
        this.#adoptDelays(instruments);
      },
    );
  }

  /** Stores the listed delays, and passes on again the quotes whose delay has changed. */
  #adoptDelays(instruments: readonly OriginInstrument[]): void {
    const before = this.#delays;
    this.#delays = new Map(
      instruments.map((one) => [delayKey(one.ticker, one.source), one.delayMinutes]),
    );
    for (const one of this.#latest.values()) {
      const key = delayKey(one.ticker, one.followed.source.name);
      if (before.get(key) !== this.#delays.get(key)) this.#pending.add(this.#withDelay(one));
    }
  }

  #change(): void {
    this.#hasChanged = true;
    this.#pending.heard();
  }

  /** Repeats a request beside the streams, which may fail for a time. */
  async #repeat(
    untilDue: (signal: AbortSignal) => Promise<void>,
    request: () => Promise<void>,
  ): Promise<void> {
    try {
      for (;;) {
        await untilDue(this.signal);
        try {
          await request();
        } catch (fault) {
          // The streams report an origin that cannot be reached.
          if (!(fault instanceof FeedFault) || !retried.has(fault.code)) throw fault;
          await this.#parts.deps.pause(fault.retryAfterMs ?? 0, this.signal);
        }
      }
    } catch (fault) {
      if (!this.signal.aborted) this.#pending.fail(fault);
    }
  }
}

/** The key of a source, or of an instrument without one: a derived instrument has a delay of its own. */
function delayKey(ticker: string, source: string | undefined): string {
  return source === undefined ? `of ${ticker}` : `by ${source}`;
}

/** Those of some tickers that the origin has, in their order. */
function offeredOf(
  instruments: readonly OriginInstrument[],
  tickers: ReadonlySet<Ticker>,
): readonly Ticker[] {
  const offered = new Set(instruments.map(({ ticker }) => ticker));
  return [...tickers].filter((ticker) => offered.has(ticker));
}
