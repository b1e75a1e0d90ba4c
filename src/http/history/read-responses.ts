import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Body } from '../content/body.ts';
import { lastModifiedOf } from '../content/content.ts';
import type { Content, Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';
import type { Caller } from '../handler/visit.ts';
import type { QueuedRead, ReadQueue, Sliced } from '../answers/read-queue.ts';

/** The memory of a cached response besides its body and its key, in bytes. */
const bytesPerResponse = 2_048;

/** What was read for a request. */
export interface ReadResponse {
  /** Whether what it was rendered from has changed since, apart from its instruments. */
  readonly isStale?: () => boolean;
  readonly result: Parsed<{
    readonly body: Body;
    readonly fields: Fields;
    /** When it was read, in epoch milliseconds, for a response with a date. */
    readonly readAt?: number;
  }>;
}

/** How a response is read that is not cached. */
export interface ResponseReading {
  /** The instruments of whose changes the response depends. */
  readonly instruments: readonly Instrument[];
  /** @param onGrowth called when the body uses more memory than before */
  readonly read: (onGrowth: () => void) => Sliced<ReadResponse>;
}

type Cached = ReadResponse & Pick<ResponseReading, 'instruments'>;

/** A response that is being read. */
interface UnderWay extends Pick<ResponseReading, 'instruments'> {
  readonly read: QueuedRead<ReadResponse>;
  /** The number of requests that wait for it. */
  waiting: number;
}

/**
 * Responses that are read from the store. They are cached by a key, within a limit of bytes; beyond it, the
 * least recently used is evicted. A refusal is cached, too. A response is read once for all requests that
 * wait for it, in the turns of their clients ({@link ReadQueue}), and no longer when all of them have left.
 *
 * The owner reports which instruments have changed ({@link invalidate}). A response that is being read at
 * that moment is given to the requests that wait for it, and not cached.
 */
export class ReadResponses {
  readonly #clock: Clock;
  readonly #cached: LRUCache<string, Cached>;
  readonly #queue: ReadQueue;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(options: {
    readonly clock: Clock;
    readonly queue: ReadQueue;
    readonly bytesMax: number;
  }) {
    this.#clock = options.clock;
    this.#queue = options.queue;
    this.#cached = new LRUCache({ maxSize: options.bytesMax });
  }

  /**
   * The response of a key.
   *
   * @param begin called if it is neither cached nor being read
   */
  find(key: string, caller: Caller, begin: () => ResponseReading): Found {
    const cached = this.#cached.get(key);
    if (cached !== undefined && cached.isStale?.() !== true) return this.#contentOf(cached);
    const underWay = this.#underWay.get(key) ?? this.#read(key, caller, begin());
    return this.#wait(key, underWay, caller);
  }

  /** Drops the responses with instruments whose closes or corporate actions have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    const changed = new Set(tickers);
    const has = ({ instruments }: Pick<ResponseReading, 'instruments'>): boolean =>
      instruments.some(({ ticker }) => changed.has(ticker));
    for (const [key, response] of this.#cached.entries()) {
      if (has(response)) this.#cached.delete(key);
    }
    for (const [key, reading] of this.#underWay) {
      if (has(reading)) this.#underWay.delete(key);
    }
  }

  /** Drops all responses. */
  clear(): void {
    this.#underWay.clear();
    this.#cached.clear();
  }

  #contentOf({ result }: ReadResponse): Parsed<Content> {
    if (!result.ok) return result;
    const { body, fields, readAt } = result.value;
    const lastModified = readAt === undefined ? Infinity : lastModifiedOf(readAt);
    if (this.#clock.now() < lastModified) return { ok: true, value: { body, fields } };
    const date = ['last-modified', new Date(lastModified).toUTCString()];
    const dated = new Fields([...date, ...fields.list]);
    return { ok: true, value: { body, fields: dated, lastModified } };
  }

  async #wait(key: string, underWay: UnderWay, caller: Caller): Promise<Parsed<Content>> {
    const { departure } = caller;
    underWay.waiting += 1;
    underWay.read.join(clientOf(caller));
    if (departure !== undefined) {
      departure.onLeave = () => {
        underWay.waiting -= 1;
        if (underWay.waiting > 0) return;
        if (this.#underWay.get(key) === underWay) this.#underWay.delete(key);
        underWay.read.cancel();
      };
    }
    try {
      return this.#contentOf(await underWay.read.result);
    } finally {
      if (departure !== undefined) departure.onLeave = undefined;
    }
  }

  #read(key: string, caller: Caller, { instruments, read }: ResponseReading): UnderWay {
    const queued = this.#queue.add(clientOf(caller), () => read(() => this.#weighAgain(key)));
    const underWay = { instruments, read: queued, waiting: 0 };
    this.#underWay.set(key, underWay);
    // If there is another one, or none, an instrument has changed meanwhile.
    const end = (done?: ReadResponse): void => {
      if (this.#underWay.get(key) !== underWay) return;
      this.#underWay.delete(key);
      if (done !== undefined) this.#keep(key, { ...done, instruments });
    };
    void queued.result.then(end, () => end());
    return underWay;
  }

  #keep(key: string, response: Cached): void {
    const { result } = response;
    const bytes = result.ok ? result.value.body.length + result.value.body.compressedBytes : 0;
    this.#cached.set(key, response, { size: bytesPerResponse + key.length * 2 + bytes });
  }

  #weighAgain(key: string): void {
    const response = this.#cached.peek(key);
    if (response === undefined) return;
    this.#cached.delete(key);
    this.#keep(key, response);
  }
}

/** Whose reads a read waits behind: those of its key and of the keys that it replaced. */
function clientOf({ key }: Caller): string {
  return key?.family ?? key?.id ?? '';
}
