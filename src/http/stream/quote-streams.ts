import { isDeepStrictEqual } from 'node:util';

import { LRUCache } from 'lru-cache';

import type { KeyRing } from '../../auth/key-ring.ts';
import type { Board } from '../../board/board.ts';
import { FanOut } from '../../board/fan-out.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { barEvent } from '../../contract/rows/bar.ts';
import {
  endingEvent,
  heartbeatComment,
  quoteEvent,
  retryField,
  type StreamEnding,
} from '../../contract/rows/quote-event.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { StreamSink } from '../handler/response.ts';
import { BarTails } from './bar-tails.ts';
import {
  StreamCounts,
  clientsPerTurnMax,
  quotesPerWriteMax,
  type StreamLimits,
} from './stream-limits.ts';
import { StreamSession, type StreamRequest } from './stream-session.ts';

/** When a client that lost its stream connects again, in milliseconds. */
const retryMs = 2_000;

/**
 * The clients of streams that end together connect again spread over this time after `retryMs`, in
 * milliseconds.
 */
const retrySpreadMs = 5_000;

/** Maximum number of combinations of extras whose latest write is kept: 60 KiB each. */
const sharedWritesMax = 16;

/** The bytes of a write, and the quotes in them. */
interface SharedWrite {
  readonly quotes: readonly Quote[];
  readonly bytes: Uint8Array;
}

/** Receives the events of streams, for the metrics. */
export interface StreamObserver {
  opened(): void;
  /** Called once for each opened stream. */
  closed(why: StreamEnding | 'client-left'): void;
  /** A number of quotes was written to one client. */
  wrote(quotes: number): void;
}

/**
 * The open streams of quotes.
 *
 * A stream lives from {@link open} until its client leaves or the service ends it. Changes reach it
 * through a follower that stores at most the latest quote of each instrument. A session with pending
 * quotes enters a queue once. In the next turn of the event loop all its quotes are written together. No
 * client waits for another: a client whose connection is full is skipped until it has read, and its
 * stream ends if it does not read.
 *
 * Clients that get the same quotes at the same time, as those of one panel usually do, share the bytes
 * of a write.
 */
export class QuoteStreams implements Disposable {
  readonly #board: Board;
  readonly #dataSource: string | undefined;
  readonly #fanOut: FanOut;
  readonly #barTails: BarTails;
  readonly #instants: InstantTexts;
  readonly #keyRing: KeyRing;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
  readonly #observer: StreamObserver | undefined;
  readonly #sessions = new Set<StreamSession>();
  readonly #counts: StreamCounts;
  readonly #queue = new Set<StreamSession>();
  readonly #sweeper: NodeJS.Timeout;
  #turn: NodeJS.Immediate | undefined;
  /** The latest write for each combination of extras, of which few are in use. */
  readonly #shared = new LRUCache<QuoteExtras, SharedWrite>({ max: sharedWritesMax });

  constructor(parts: {
    readonly board: Board;
    readonly bars: BarReader;
    readonly log: Log;
    /** The kind of the board's data. A stream never changes from one kind to another. */
    readonly dataSource?: string | undefined;
    readonly keyRing: KeyRing;
    readonly clock: Clock;
    readonly limits: StreamLimits;
    readonly observer?: StreamObserver | undefined;
    /** The streams of each key, which several servers and processes share. By default those of this object. */
    readonly counts?: StreamCounts | undefined;
  }) {
    this.#board = parts.board;
    this.#instants = new InstantTexts(parts.board.universe);
    this.#dataSource = parts.dataSource;
    this.#fanOut = new FanOut(parts.board);
    this.#barTails = new BarTails(parts);
    this.#keyRing = parts.keyRing;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#observer = parts.observer;
    this.#counts = parts.counts ?? new StreamCounts();
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.sweepMs).unref();
  }

  /** Why a further stream of a key would be refused now; undefined if it would not. */
  refusal(key: ApiKeyRecord): 'streams-per-key' | 'streams-full' | undefined {
    if (this.#counts.of(key.id) >= this.#limits.perKeyMax) return 'streams-per-key';
    return this.#sessions.size >= this.#limits.streamsMax ? 'streams-full' : undefined;
  }

  /** Streams a selection to a response whose head was written: the current quotes, then each change. */
  open(sink: StreamSink, request: StreamRequest): void {
    const now = this.#clock.monotonic();
    const session = new StreamSession(request, { sink, owner: this, now });
    this.#observer?.opened();
    session.write(retryField(retryMs), now);
    this.#add(session);
  }

  /** Ends every stream, and asks the clients to connect again later. */
  drain(): void {
    this.#endAll('draining');
  }

  /**
   * Moves every stream at once to the streams of another board. A client gets the quotes of the other
   * board that are newer than its latest one, and notices nothing else. A stream ends if its selection
   * has other instruments there, or instruments that are rendered differently. All streams end if the
   * other board has another kind of data.
   *
   * These streams are disposed.
   */
  moveTo(next: QuoteStreams): void {
    if (next.#dataSource !== this.#dataSource) this.drain();
    const changed: StreamSession[] = [];
    for (const session of this.#sessions) {
      if (this.#isRenderedAlike(session.request.selection, next.#board)) next.#add(session);
      else changed.push(session);
    }
    // The moved sessions belong to the other streams, and stay open.
    for (const { request } of this.#sessions) this.#counts.closed(request.key.id);
    this.#sessions.clear();
    this.#queue.clear();
    for (const session of changed) this.#count(session);
    this.#endAll('selection-changed');
    this[Symbol.dispose]();
  }

  #isRenderedAlike(selection: Selection, other: Board): boolean {
    const [own, others] = [this.#board.resolve(selection), other.resolve(selection)];
    return (
      own.length === others.length &&
      own.every((one, at) => isDeepStrictEqual(rendered(one), rendered(others[at])))
    );
  }

  /** Ends every stream. The clients connect again evenly spread over `retrySpreadMs`. */
  #endAll(why: StreamEnding): void {
    const sessions = [...this.#sessions];
    for (const [place, session] of sessions.entries()) {
      this.#end(session, why, retryMs + Math.round((retrySpreadMs * place) / sessions.length));
    }
  }

  /** Adds a session to these streams. */
  #add(session: StreamSession): void {
    const { selection, extras, barInterval: interval } = session.request;
    const after = session.seenVersion;
    const onReady = (): void => this.#enqueue(session);
    const quotes = this.#fanOut.follow(selection, { after, extras, onReady });
    const bars =
      interval === undefined ? undefined : this.#barTails.follow(selection, { interval, onReady });
    session.follow({ quotes, bars }, this);
    this.#count(session);
    this.#enqueue(session);
  }

  #count(session: StreamSession): void {
    this.#sessions.add(session);
    this.#counts.opened(session.request.key.id);
  }

  /** See {@link StreamSession}. */
  hasRoom(session: StreamSession): void {
    this.#enqueue(session);
  }

  /** See {@link StreamSession}. */
  left(session: StreamSession): void {
    session.abandon();
    this.#forget(session, 'client-left');
  }

  #enqueue(session: StreamSession): void {
    this.#queue.add(session);
    this.#turn ??= setImmediate(() => this.#serveTurn());
  }

  #serveTurn(): void {
    this.#turn = undefined;
    const now = this.#clock.monotonic();
    let served = 0;
    for (const session of this.#queue) {
      if (served === clientsPerTurnMax) {
        this.#turn = setImmediate(() => this.#serveTurn());
        return;
      }
      this.#queue.delete(session);
      if (!session.isWritable) continue;
      const quotes = session.take(quotesPerWriteMax);
      if (quotes.length > 0) {
        session.write(this.#bytesOf(quotes, session.request.extras), now);
        this.#observer?.wrote(quotes.length);
      }
      if (session.isWritable) this.#writeBars(session, now);
      // The rest of a large selection is written after the other clients' quotes.
      if (session.isWritable) this.#queue.add(session);
      served += 1;
    }
  }

  #writeBars(session: StreamSession, now: number): void {
    const bars = session.takeBars(quotesPerWriteMax);
    if (bars.length === 0) return;
    const instants = session.request.extras.includes('instant') ? this.#instants : undefined;
    session.write(bars.map((bar) => barEvent(bar, instants)).join(''), now);
  }

  #bytesOf(quotes: readonly Quote[], extras: QuoteExtras): Uint8Array {
    const shared = this.#shared.get(extras);
    if (shared !== undefined && isSame(shared.quotes, quotes)) return shared.bytes;
    const bytes = Buffer.from(
      quotes.map((quote) => quoteEvent(quote, extras, this.#instants)).join(''),
    );
    this.#shared.set(extras, { quotes, bytes });
    return bytes;
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    const wallNow = this.#clock.now();
    for (const session of this.#sessions) {
      const { key, heartbeatMs = Infinity } = session.request;
      if (!this.#keyRing.isLive(key, wallNow)) this.#end(session, 'key-ended', retryMs);
      else if (session.stalledMs(now) > this.#limits.stallMs) {
        this.#end(session, 'too-slow', retryMs);
      } else if (session.idleMs(now) >= Math.min(heartbeatMs, this.#limits.heartbeatMs)) {
        session.write(heartbeatComment, now);
      }
    }
  }

  #end(session: StreamSession, why: StreamEnding, retryAfterMs: number): void {
    session.end(endingEvent(why, retryAfterMs));
    this.#forget(session, why);
  }

  #forget(session: StreamSession, why: StreamEnding | 'client-left'): void {
    if (!this.#sessions.delete(session)) return;
    this.#queue.delete(session);
    this.#counts.closed(session.request.key.id);
    this.#observer?.closed(why);
  }

  /** Ends every stream and stops following the board. */
  [Symbol.dispose](): void {
    this.drain();
    clearInterval(this.#sweeper);
    clearImmediate(this.#turn);
    this.#fanOut[Symbol.dispose]();
    this.#barTails[Symbol.dispose]();
  }
}

/** What the rendering of a quote depends on besides the quote. A text is an unknown ticker. */
function rendered(one: Instrument | string | undefined): unknown {
  if (typeof one !== 'object') return one;
  const { ticker, kind, market, currency, decimals, changeUnit } = one;
  return { ticker, kind, market, currency, decimals, changeUnit };
}

function isSame(a: readonly Quote[], b: readonly Quote[]): boolean {
  return a.length === b.length && a.every((quote, index) => quote === b[index]);
}
