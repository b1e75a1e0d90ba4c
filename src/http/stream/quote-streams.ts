import type { ServerResponse } from 'node:http';

import type { KeyRing } from '../../auth/key-ring.ts';
import type { Board } from '../../board/board.ts';
import { FanOut } from '../../board/fan-out.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Selection } from '../../domain/selection.ts';
import type { Clock } from '../../lib/clock.ts';
import { endingEvent, heartbeatComment, quoteEvent, retryField } from '../../wire/quote-event.ts';
import type { StreamEnding } from '../../wire/quote-event.ts';
import { clientsPerTurnMax, quotesPerWriteMax } from './stream-limits.ts';
import type { StreamLimits } from './stream-limits.ts';
import { StreamSession } from './stream-session.ts';

/** How long a client that lost its stream waits before it connects again. */
const retryMs = 2_000;

/** While the service restarts, clients wait from `retryMs` to this much longer, so as not to come at once. */
const retrySpreadMs = 5_000;

/** Told what becomes of streams, for the metrics. */
export interface StreamObserver {
  opened(): void;
  /** Once for each that was opened. */
  closed(why: StreamEnding | 'client-left'): void;
  /** Quotes that were written to one client. */
  wrote(quotes: number): void;
}

/**
 * The open streams of quotes.
 *
 * A stream lives from {@link open} until its client leaves or the service ends it. Changes reach it
 * through a follower that holds at most the latest quote of each instrument; a session with something
 * to write queues up, once, and is served in the next turn of the event loop with all that came
 * until then in one write. Nobody waits for anybody: a client whose connection is full is passed
 * over until it has read, and is ended when it does not.
 *
 * Clients that are in step (the same quotes at the same moment, the usual case for those who follow
 * the same panel) share the bytes of a write.
 */
export class QuoteStreams implements Disposable {
  readonly #fanOut: FanOut;
  readonly #keyRing: KeyRing;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
  readonly #observer: StreamObserver | undefined;
  readonly #sessions = new Set<StreamSession>();
  readonly #perKey = new Map<string, number>();
  readonly #queue = new Set<StreamSession>();
  readonly #sweeper: NodeJS.Timeout;
  #turn: NodeJS.Immediate | undefined;
  #shared: { readonly quotes: readonly Quote[]; readonly bytes: Uint8Array } | undefined;

  constructor(parts: {
    readonly board: Board;
    readonly keyRing: KeyRing;
    readonly clock: Clock;
    readonly limits: StreamLimits;
    readonly observer?: StreamObserver | undefined;
  }) {
    this.#fanOut = new FanOut(parts.board);
    this.#keyRing = parts.keyRing;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#observer = parts.observer;
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.sweepMs).unref();
  }

  /** Why one more stream of a key is refused now; undefined when it is not. */
  refusal(key: ApiKeyRecord): 'streams-per-key' | 'streams-full' | undefined {
    if ((this.#perKey.get(key.id) ?? 0) >= this.#limits.perKeyMax) return 'streams-per-key';
    return this.#sessions.size >= this.#limits.streamsMax ? 'streams-full' : undefined;
  }

  /**
   * Streams a selection to a response whose head was written: the current quotes, then each change.
   *
   * @param after the version that the client has seen already, with all before it.
   */
  open(
    response: ServerResponse,
    request: {
      readonly key: ApiKeyRecord;
      readonly selection: Selection;
      readonly after: number | undefined;
    },
  ): void {
    const { key, selection, after } = request;
    // It is ready for the first time before there is a session; that one is enqueued below.
    const opened: { session?: StreamSession } = {};
    const enqueue = (): void => {
      if (opened.session !== undefined) this.#enqueue(opened.session);
    };
    const follower = this.#fanOut.follow(selection, { after, onReady: enqueue });
    const now = performance.now();
    const session = new StreamSession({ key, response, follower, now, onRoom: enqueue });
    opened.session = session;
    this.#sessions.add(session);
    this.#perKey.set(key.id, (this.#perKey.get(key.id) ?? 0) + 1);
    this.#observer?.opened();
    response.on('close', () => this.#left(session));
    response.on('error', () => this.#left(session));
    session.write(retryField(retryMs), now);
    this.#enqueue(session);
  }

  /** Ends every stream, and asks clients to come back in a while. */
  drain(): void {
    let place = 0;
    for (const session of this.#sessions) {
      const spread = Math.round((retrySpreadMs * place) / this.#sessions.size);
      this.#end(session, 'draining', retryMs + spread);
      place += 1;
    }
  }

  #enqueue(session: StreamSession): void {
    this.#queue.add(session);
    this.#turn ??= setImmediate(() => this.#serveTurn());
  }

  #serveTurn(): void {
    this.#turn = undefined;
    const now = performance.now();
    let served = 0;
    for (const session of this.#queue) {
      if (served === clientsPerTurnMax) {
        this.#turn = setImmediate(() => this.#serveTurn());
        return;
      }
      this.#queue.delete(session);
      if (!session.isWritable) continue;
      const quotes = session.follower.take(quotesPerWriteMax);
      session.write(this.#bytesOf(quotes), now);
      this.#observer?.wrote(quotes.length);
      // The rest of a large selection: after the others, and when the connection has room.
      if (session.isWritable) this.#queue.add(session);
      served += 1;
    }
  }

  #bytesOf(quotes: readonly Quote[]): Uint8Array {
    if (this.#shared !== undefined && isSame(this.#shared.quotes, quotes))
      return this.#shared.bytes;
    const bytes = Buffer.from(quotes.map(quoteEvent).join(''));
    this.#shared = { quotes, bytes };
    return bytes;
  }

  #sweep(): void {
    const now = performance.now();
    const wallNow = this.#clock.now();
    for (const session of this.#sessions) {
      if (!this.#keyRing.isLive(session.key, wallNow)) this.#end(session, 'key-ended', retryMs);
      else if (session.stalledMs(now) > this.#limits.stallMs) {
        this.#end(session, 'too-slow', retryMs);
      } else if (session.silentMs(now) >= this.#limits.heartbeatMs) {
        session.write(heartbeatComment, now);
      }
    }
  }

  #end(session: StreamSession, why: StreamEnding, retryAfterMs: number): void {
    session.end(endingEvent(why, retryAfterMs));
    this.#forget(session, why);
  }

  #left(session: StreamSession): void {
    session.abandon();
    this.#forget(session, 'client-left');
  }

  #forget(session: StreamSession, why: StreamEnding | 'client-left'): void {
    if (!this.#sessions.delete(session)) return;
    this.#queue.delete(session);
    const others = (this.#perKey.get(session.key.id) ?? 1) - 1;
    if (others === 0) this.#perKey.delete(session.key.id);
    else this.#perKey.set(session.key.id, others);
    this.#observer?.closed(why);
  }

  /** Ends every stream and follows the board no longer. */
  [Symbol.dispose](): void {
    this.drain();
    clearInterval(this.#sweeper);
    clearImmediate(this.#turn);
    this.#fanOut[Symbol.dispose]();
  }
}

function isSame(a: readonly Quote[], b: readonly Quote[]): boolean {
  return a.length === b.length && a.every((quote, index) => quote === b[index]);
}
