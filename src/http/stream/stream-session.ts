import type { Follower } from '../../board/fan-out.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Selection } from '../../domain/selection.ts';
import type { StreamSink } from '../exchange/answer.ts';

/**
 * How long an ended stream is kept for the client to read why; one that does not read is cut then.
 */
const lingerMs = 1_000;

/** The streams that a session belongs to. */
interface StreamOwner {
  /** The full connection of the session has room again. */
  hasRoom(session: StreamSession): void;
  /** The client has gone. */
  left(session: StreamSession): void;
}

/**
 * One open stream: the quotes that wait for its client, and the connection that it is written to.
 *
 * It writes only what the connection takes. While the connection is full, it writes nothing; the quotes
 * that wait stay conflated in the follower.
 *
 * A session has one owner at a time. It is moved to another one by {@link follow}.
 */
export class StreamSession {
  readonly key: ApiKeyRecord;
  readonly selection: Selection;
  readonly #sink: StreamSink;
  #owner: StreamOwner;
  #follower: Follower | undefined;
  #seenVersion: number | undefined;
  #writtenAt: number;
  #fullSince: number | undefined;
  #hasEnded = false;

  constructor(parts: {
    readonly key: ApiKeyRecord;
    readonly selection: Selection;
    readonly sink: StreamSink;
    readonly owner: StreamOwner;
    /** The version that the client has seen, with all before it. */
    readonly after: number | undefined;
    /** In milliseconds of any monotonic clock, as in all methods. */
    readonly now: number;
  }) {
    this.key = parts.key;
    this.selection = parts.selection;
    this.#sink = parts.sink;
    this.#owner = parts.owner;
    this.#seenVersion = parts.after;
    this.#writtenAt = parts.now;
    parts.sink.on('drain', () => {
      this.#fullSince = undefined;
      this.#owner.hasRoom(this);
    });
    parts.sink.on('close', () => this.#owner.left(this));
    parts.sink.on('error', () => this.#owner.left(this));
  }

  /** The highest version that was taken for the client, or that it said it had seen. */
  get seenVersion(): number | undefined {
    return this.#seenVersion;
  }

  /** Takes its quotes from a follower, in place of any other, on behalf of an owner. */
  follow(follower: Follower, owner: StreamOwner): void {
    this.#follower?.[Symbol.dispose]();
    this.#follower = follower;
    this.#owner = owner;
  }

  /** Whether there is something to write and room for it. */
  get isWritable(): boolean {
    return !this.#hasEnded && this.#fullSince === undefined && this.#follower?.isReady === true;
  }

  /** Takes at most `max` of the quotes that wait, in order of version. */
  take(max: number): readonly Quote[] {
    const quotes = this.#follower?.take(max) ?? [];
    this.#seenVersion = quotes.at(-1)?.version ?? this.#seenVersion;
    return quotes;
  }

  write(bytes: Uint8Array | string, now: number): void {
    if (this.#hasEnded) return;
    this.#writtenAt = now;
    if (!this.#sink.write(bytes)) this.#fullSince = now;
  }

  /** For how long nothing was written, and nothing need be because of a full connection. */
  silentMs(now: number): number {
    return this.#fullSince === undefined ? now - this.#writtenAt : 0;
  }

  /** For how long the client has left its full connection unread. */
  stalledMs(now: number): number {
    return this.#fullSince === undefined ? 0 : now - this.#fullSince;
  }

  /** Writes the last event and ends the connection. */
  end(lastEvent: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#follower?.[Symbol.dispose]();
    const sink = this.#sink;
    sink.end(lastEvent);
    setTimeout(() => sink.destroy(), lingerMs).unref();
  }

  /** The client has gone. */
  abandon(): void {
    this.#hasEnded = true;
    this.#follower?.[Symbol.dispose]();
  }
}
