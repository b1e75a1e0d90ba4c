import { setImmediate as nextTurn } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { SelectionView } from '../../board/selection-view.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { parsePathParams } from '../../wire/params/quote-params.ts';
import { missingFields } from '../handler/response-draft.ts';
import { Body, CompressionPace } from './body.ts';
import type { Content, Found } from './content.ts';
import { mediaTypeOf } from './negotiation.ts';
import { SessionPath } from './session-path.ts';

/** Maximum memory of one path in a cached response, in bytes: all encodings. */
const bytesPerPathMax = 4_096;

/** The memory of a cached response besides its paths, in bytes. */
const bytesPerResponse = 1_024;

/**
 * The responses of `/recorridos`, cached by the text of their queries, within a limit of bytes. Beyond it the
 * least recently used is evicted. All responses share the path of an instrument.
 */
export class PathResponses {
  readonly #board: Board;
  readonly #bars: Pick<BarReader, 'readBars'>;
  readonly #clock: Clock;
  readonly #tickersMax: number;
  readonly #calendars: MarketCalendars;
  readonly #paths = new Map<Instrument, SessionPath>();
  readonly #cached: LRUCache<string, PathResponse>;

  constructor(options: {
    readonly board: Board;
    readonly bars: Pick<BarReader, 'readBars'>;
    readonly clock: Clock;
    readonly tickersMax: number;
    readonly bytesMax: number;
  }) {
    this.#board = options.board;
    this.#bars = options.bars;
    this.#clock = options.clock;
    this.#tickersMax = options.tickersMax;
    this.#calendars = new MarketCalendars(options.board.universe);
    this.#cached = new LRUCache({ maxSize: options.bytesMax });
  }

  /** Drops all responses, also those that are being read. */
  clear(): void {
    this.#paths.clear();
    this.#cached.clear();
  }

  /** The response to a query as sent. */
  find(rawQuery: string): Found {
    const cached = this.#cached.get(rawQuery);
    if (cached !== undefined) return cached.current();
    const selection = parsePathParams(rawQuery, this.#tickersMax);
    if (!selection.ok) return selection;
    const view = this.#board.select(selection.value, noExtras);
    const response = new PathResponse(view, (quote) => this.#pathOf(quote), this.#clock);
    const size = rawQuery.length * 2 + bytesPerResponse + view.size * bytesPerPathMax;
    this.#cached.set(rawQuery, response, { size });
    return response.current();
  }

  #pathOf({ instrument }: Quote): SessionPath {
    return this.#paths.getOrInsertComputed(
      instrument,
      () => new SessionPath(instrument, this.#calendars.of(instrument), this.#bars),
    );
  }
}

/** The response for one selection. The body is rendered at the first request after a change. */
class PathResponse {
  readonly #view: SelectionView;
  readonly #pathOf: (quote: Quote) => SessionPath;
  readonly #pace: CompressionPace;
  #current: Found | undefined;
  #quotes: readonly Quote[] = [];

  constructor(view: SelectionView, pathOf: (quote: Quote) => SessionPath, clock: Clock) {
    this.#view = view;
    this.#pathOf = pathOf;
    this.#pace = new CompressionPace(clock);
  }

  /** The current content. */
  current(): Found {
    const { quotes } = this.#view;
    if (quotes !== this.#quotes) this.#current = undefined;
    this.#quotes = quotes;
    return (this.#current ??= this.#make());
  }

  #make(): Found {
    const { missing, quotes } = this.#view;
    const known = quotes.map((quote) => this.#pathOf(quote).known(quote));
    const texts = known.filter((text) => text !== undefined);
    if (texts.length === known.length) return this.#content(texts, missing);
    const later = this.#read(quotes).then(
      (all) => {
        const content = this.#content(all, missing);
        if (this.#current === later) this.#current = content;
        return content;
      },
      (fault: unknown) => {
        if (this.#current === later) this.#current = undefined;
        throw fault;
      },
    );
    return later;
  }

  /** Reads one path a turn: the store of one computer is read without letting other requests pass. */
  async #read(quotes: readonly Quote[]): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const quote of quotes) {
      const path = this.#pathOf(quote);
      if (path.known(quote) === undefined) await nextTurn();
      texts.push(await path.read(quote));
    }
    return texts;
  }

  #content(paths: readonly string[], missing: readonly string[]): Parsed<Content> {
    const body = new Body({
      type: mediaTypeOf('json'),
      parts: [Buffer.from(`[${paths.join(',')}]`)],
      mayCompress: (coding) => this.#pace.allows(coding),
    });
    return { ok: true, value: { body, fields: missingFields(missing) } };
  }
}
