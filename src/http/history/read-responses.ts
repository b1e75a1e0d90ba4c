import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Body } from '../content/body.ts';
import { lastModifiedOf } from '../content/content.ts';
import type { Content, Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';

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
  readonly read: (onGrowth: () => void) => Promise<ReadResponse>;
}

type Cached = ReadResponse & Pick<ResponseReading, 'instruments'>;

/**
 * Responses that are read from the store. They are cached by a key, within a limit of bytes; beyond it, the
 * least recently used is evicted. A refusal is cached, too. A response is read once for all requests that
 * wait for it, and one response at a time, because many large ones would fill the memory.
 *
 * The owner reports which instruments have changed ({@link invalidate}). A response that is being read at
 * that moment is given to the requests that wait for it, and not cached.
 */
export class ReadResponses {
  readonly #clock: Clock;
  readonly #cached: LRUCache<string, Cached>;
  readonly #underWay = new Map<
    string,
    Pick<ResponseReading, 'instruments'> & { readonly response: Promise<ReadResponse> }
  >();

  /** Settles when no response is being read. */
  #done: Promise<unknown> = Promise.resolve();

  constructor(options: { readonly clock: Clock; readonly bytesMax: number }) {
    this.#clock = options.clock;
    this.#cached = new LRUCache({ maxSize: options.bytesMax });
  }

  /**
   * The response of a key.
   *
   * @param begin called if it is neither cached nor being read
   */
  find(key: string, begin: () => ResponseReading): Found {
    const cached = this.#cached.get(key);
    if (cached !== undefined && cached.isStale?.() !== true) return this.#contentOf(cached);
    const { response } = this.#underWay.get(key) ?? this.#read(key, begin());
    return response.then((read) => this.#contentOf(read));
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

  #read(
    key: string,
    { instruments, read }: ResponseReading,
  ): { readonly response: Promise<ReadResponse> } {
    const begun = this.#done.then(() => read(() => this.#weighAgain(key)));
    this.#done = begun.catch(() => undefined);
    const response = begun.then(
      (done) => {
        // If there is another one, or none, an instrument has changed meanwhile.
        if (this.#underWay.get(key) === reading) {
          this.#underWay.delete(key);
          this.#keep(key, { ...done, instruments });
        }
        return done;
      },
      (fault: unknown) => {
        if (this.#underWay.get(key) === reading) this.#underWay.delete(key);
        throw fault;
      },
    );
    const reading = { instruments, response };
    this.#underWay.set(key, reading);
    return reading;
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
