import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { barFormat, type BarFormat } from '../../wire/bodies/bar-body.ts';
import { parseBarParams } from '../../wire/params/bar-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { missingFields } from '../handler/response-draft.ts';
import { BarResponse } from './bar-response.ts';
import { Body } from './body.ts';
import type { Content, Found } from './content.ts';
import { mediaTypeOf } from './negotiation.ts';

/**
 * The responses of `/intradiarios`, cached by the text of their queries, within a limit of bytes. Beyond it
 * the least recently used is evicted.
 */
export class BarResponses {
  readonly #board: Board;
  readonly #bars: BarReader;
  readonly #clock: Clock;
  readonly #calendars: MarketCalendars;
  readonly #instants: InstantTexts;
  readonly #cached: LRUCache<string, BarResponse>;

  constructor(options: {
    readonly board: Board;
    readonly bars: BarReader;
    readonly clock: Clock;
    readonly bytesMax: number;
  }) {
    this.#board = options.board;
    this.#bars = options.bars;
    this.#clock = options.clock;
    this.#calendars = new MarketCalendars(options.board.universe);
    this.#instants = new InstantTexts(options.board.universe);
    this.#cached = new LRUCache({
      maxSize: options.bytesMax,
      // The text of a query may be longer than its rows, and its characters take up to two bytes.
      sizeCalculation: ({ bytesHeld }, key) => bytesHeld + key.length * 2,
    });
  }

  /** The memory of the cached responses, in bytes. */
  get bytesHeld(): number {
    return this.#cached.calculatedSize;
  }

  /** Drops the responses of instruments whose stored bars may have changed, as with a new ticker. */
  invalidate(tickers: Iterable<Ticker>): void {
    const changed = new Set(tickers);
    const stale = Array.from(this.#cached.entries()).filter(([, { ticker }]) =>
      changed.has(ticker),
    );
    for (const [key] of stale) this.#cached.delete(key);
  }

  /** Drops all responses. */
  clear(): void {
    this.#cached.clear();
  }

  /** The response to a query as sent. */
  find(rawQuery: string, format: TableFormat): Found {
    const key = `${format} ${rawQuery}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached.current();
    const query = parseBarParams(rawQuery);
    if (!query.ok) return query;
    const instrument = this.#board.universe.find(query.value.ticker);
    const rows = barFormat(format, query.value.withInstant ? this.#instants : undefined);
    if (instrument === undefined) return unknownInstrument(query.value.ticker, rows, format);
    const response = new BarResponse({
      board: this.#board,
      bars: this.#bars,
      clock: this.#clock,
      calendar: this.#calendars.of(instrument),
      instrument,
      query: query.value,
      rows,
      type: mediaTypeOf(format),
      // A cached value is weighed when it is set, and not again while it is the same.
      onLoad: (loaded) => {
        // An invalidated response goes to the requests that wait for it, and is not cached again.
        if (this.#cached.peek(key) !== loaded) return;
        this.#cached.delete(key);
        this.#cached.set(key, loaded);
      },
    });
    this.#cached.set(key, response);
    return response.current();
  }
}

function unknownInstrument(
  ticker: string,
  { opening, closing }: BarFormat,
  format: TableFormat,
): Parsed<Content> {
  const type = mediaTypeOf(format);
  const body = new Body({ type, parts: [opening, closing], mayCompress: () => false });
  return { ok: true, value: { body, fields: missingFields([ticker]) } };
}
