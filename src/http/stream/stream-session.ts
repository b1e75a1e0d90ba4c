import type { ServerResponse } from 'node:http';

import type { Follower } from '../../board/fan-out.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';

/**
 * How long an ended stream is kept for the client to read why; one that does not read is cut then.
 */
const lingerMs = 1_000;

/**
 * One open stream: what waits for its client, and the connection that it is written to.
 *
 * It writes only what the connection takes. Once that is full, it writes nothing before the client
 * has read; meanwhile what waits stays conflated in the follower.
 */
export class StreamSession {
  readonly key: ApiKeyRecord;
  readonly #response: ServerResponse;
  readonly #follower: Follower;
  #writtenAt: number;
  #fullSince: number | undefined;
  #hasEnded = false;

  constructor(parts: {
    readonly key: ApiKeyRecord;
    readonly response: ServerResponse;
    readonly follower: Follower;
    /** In milliseconds of any monotonic clock, as in all methods. */
    readonly now: number;
    /** Called when a full connection has room again. */
    readonly onRoom: () => void;
  }) {
    this.key = parts.key;
    this.#response = parts.response;
    this.#follower = parts.follower;
    this.#writtenAt = parts.now;
    parts.response.on('drain', () => {
      this.#fullSince = undefined;
      parts.onRoom();
    });
  }

  get follower(): Follower {
    return this.#follower;
  }

  /** Whether there is something to write and room for it. */
  get isWritable(): boolean {
    return !this.#hasEnded && this.#fullSince === undefined && this.#follower.isReady;
  }

  write(bytes: Uint8Array | string, now: number): void {
    if (this.#hasEnded) return;
    this.#writtenAt = now;
    if (!this.#response.write(bytes)) this.#fullSince = now;
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
    this.#follower[Symbol.dispose]();
    const response = this.#response;
    response.end(lastEvent);
    setTimeout(() => response.destroy(), lingerMs).unref();
  }

  /** The client has gone. */
  abandon(): void {
    this.#hasEnded = true;
    this.#follower[Symbol.dispose]();
  }
}
