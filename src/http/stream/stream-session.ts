import type { QuoteFollower } from '../../board/fan-out.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import type { BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { versionFor, type QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import type { BarState } from '../../contract/rows/bar.ts';
import type { StreamSink } from '../handler/response.ts';
import type { BarFollower } from './bar-tails.ts';

/** What a client requested. */
export interface StreamRequest {
  readonly key: ApiKeyRecord;
  readonly selection: Selection;
  readonly extras: QuoteExtras;
  /** The interval of the bars. Absent for none. */
  readonly barInterval?: BarInterval | undefined;
  /** The longest time without data, in milliseconds. Absent for that of the service. */
  readonly heartbeatMs?: number | undefined;
  /** The latest version that the client has received. */
  readonly after: number | undefined;
}

/** What a session follows: quotes, and bars if the client requested them. */
export interface Followers {
  readonly quotes: QuoteFollower;
  readonly bars: BarFollower | undefined;
}

/** How long an ended stream stays open for the client to read its last event, in milliseconds. */
const lingerMs = 1_000;

/** The streams that a session belongs to. */
interface StreamOwner {
  /** The connection of the session is no longer full. */
  hasRoom(session: StreamSession): void;
  /** The client has left. */
  left(session: StreamSession): void;
}

/**
 * One open stream: the pending quotes and bars of its client, and the connection that they are written to.
 *
 * While the connection is full, nothing is written, and the pending quotes stay conflated in the
 * follower.
 *
 * A session has one owner at a time. {@link follow} moves it to another one.
 */
export class StreamSession {
  readonly request: StreamRequest;
  readonly #sink: StreamSink;
  #owner: StreamOwner;
  #followers: Followers | undefined;
  #seenVersion: number | undefined;
  #writtenAt: number;
  #fullSince: number | undefined;
  #hasEnded = false;

  /** @param options.now in milliseconds of the monotonic clock, as in all methods. */
  constructor(
    request: StreamRequest,
    {
      sink,
      owner,
      now,
    }: { readonly sink: StreamSink; readonly owner: StreamOwner; readonly now: number },
  ) {
    this.request = request;
    this.#sink = sink;
    this.#owner = owner;
    this.#seenVersion = request.after;
    this.#writtenAt = now;
    sink.on('drain', () => {
      this.#fullSince = undefined;
      this.#owner.hasRoom(this);
    });
    sink.on('close', () => this.#owner.left(this));
    sink.on('error', () => this.#owner.left(this));
  }

  /** The latest version that was taken for the client, or that it reported. */
  get seenVersion(): number | undefined {
    return this.#seenVersion;
  }

  /** Replaces its followers and its owner. */
  follow(followers: Followers, owner: StreamOwner): void {
    this.#stopFollowing();
    this.#followers = followers;
    this.#owner = owner;
  }

  /** Whether quotes or bars are pending and the connection is not full. */
  get isWritable(): boolean {
    if (this.#hasEnded || this.#fullSince !== undefined) return false;
    return this.#followers?.quotes.isReady === true || this.#followers?.bars?.isReady === true;
  }

  /** Takes at most `max` of the pending quotes, in order of version. */
  take(max: number): readonly Quote[] {
    const quotes = this.#followers?.quotes.take(max) ?? [];
    const latest = quotes.at(-1);
    if (latest !== undefined) this.#seenVersion = versionFor(latest, this.request.extras);
    return quotes;
  }

  /** Takes the pending bars of at most `max` instruments. */
  takeBars(max: number): readonly BarState[] {
    return this.#followers?.bars?.take(max) ?? [];
  }

  write(bytes: Uint8Array | string, now: number): void {
    if (this.#hasEnded) return;
    this.#writtenAt = now;
    if (!this.#sink.write(bytes)) this.#fullSince = now;
  }

  /** The time since the last write, in milliseconds; 0 while the connection is full. */
  idleMs(now: number): number {
    return this.#fullSince === undefined ? now - this.#writtenAt : 0;
  }

  /** The time for which the connection has been full, in milliseconds. */
  stalledMs(now: number): number {
    return this.#fullSince === undefined ? 0 : now - this.#fullSince;
  }

  /** Writes the last event and ends the connection. */
  end(lastEvent: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopFollowing();
    const sink = this.#sink;
    sink.end(lastEvent);
    setTimeout(() => sink.destroy(), lingerMs).unref();
  }

  /** Stops following: the client has left. */
  abandon(): void {
    this.#hasEnded = true;
    this.#stopFollowing();
  }

  #stopFollowing(): void {
    this.#followers?.quotes[Symbol.dispose]();
    this.#followers?.bars?.[Symbol.dispose]();
  }
}
