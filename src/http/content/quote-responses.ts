import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { SelectionView } from '../../board/selection-view.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { quoteList } from '../../wire/bodies/quote-list.ts';
import { parseQuoteParams } from '../../wire/params/quote-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { missingFields } from '../handler/response-draft.ts';
import type { Fields } from '../handler/fields.ts';
import { Body } from './body.ts';
import { CompressionPace } from './compression-pace.ts';
import type { Content } from './content.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Maximum memory of one quote in a cached response, in bytes: all formats and encodings. */
const bytesPerQuoteMax = 1_024;

/** The same of one extra of a quote. */
const bytesPerExtraMax = 128;

/** The memory of a cached response besides its quotes, in bytes. */
const bytesPerResponse = 1_024;

/**
 * The responses of `/cotizaciones`, cached by the text of their queries. A repeated request costs one
 * look-up: nothing is read, rendered or compressed until a quote of the response changes.
 *
 * The eleven panels are cached permanently. Other selections, and panels with extras, are cached within
 * `responsesBytesMax`; the least recently used is evicted. So the memory is bounded, however many
 * combinations of extras clients request.
 */
export class QuoteResponses {
  readonly #board: Board;
  readonly #tickersMax: number;
  readonly #clock: Clock;
  readonly #instants: InstantTexts;
  readonly #panels = new Map<readonly (Instrument | string)[], QuoteResponse>();
  readonly #cached: LRUCache<string, Parsed<QuoteResponse>>;

  constructor(options: {
    readonly board: Board;
    readonly clock: Clock;
    readonly tickersMax: number;
    readonly responsesBytesMax: number;
  }) {
    this.#board = options.board;
    this.#clock = options.clock;
    this.#instants = new InstantTexts(options.board.universe);
    this.#tickersMax = options.tickersMax;
    this.#cached = new LRUCache({ maxSize: options.responsesBytesMax });
  }

  /** The response to a query as sent. */
  find(rawQuery: string): Parsed<QuoteResponse> {
    const cached = this.#cached.get(rawQuery);
    return cached ?? this.#make(rawQuery);
  }

  /** Drops all responses. */
  clear(): void {
    this.#panels.clear();
    this.#cached.clear();
  }

  #make(rawQuery: string): Parsed<QuoteResponse> {
    const request = parseQuoteParams(rawQuery, this.#tickersMax);
    if (!request.ok) return request;
    const { selection, extras } = request.value;
    const { tickers, panel } = selection;
    const isPlainPanel = tickers.length === 0 && panel !== undefined && extras === noExtras;
    const named = this.#board.resolve(selection);
    const value = isPlainPanel ? this.#panelResponse(named) : this.#newResponse(named, extras);
    const bytesPerQuote = bytesPerQuoteMax + extras.length * bytesPerExtraMax;
    const ownBytes = isPlainPanel ? 0 : value.quotesMax * bytesPerQuote;
    const response = { ok: true, value } as const;
    this.#cached.set(rawQuery, response, {
      size: rawQuery.length * 2 + bytesPerResponse + ownBytes,
    });
    return response;
  }

  /** All queries for a plain panel share one response, also those by its alias. */
  #panelResponse(members: readonly (Instrument | string)[]): QuoteResponse {
    const known = this.#panels.get(members);
    if (known !== undefined) return known;
    const response = this.#newResponse(members, noExtras);
    this.#panels.set(members, response);
    return response;
  }

  #newResponse(named: readonly (Instrument | string)[], extras: QuoteExtras): QuoteResponse {
    return new QuoteResponse(this.#board.view(named, extras), {
      extras,
      instants: this.#instants,
      clock: this.#clock,
    });
  }
}

/** The response for one selection. Each body is rendered at the first request after a change. */
export class QuoteResponse {
  readonly #view: SelectionView;
  readonly #extras: QuoteExtras;
  readonly #instants: InstantTexts;
  readonly #pace: CompressionPace;
  #fields: Fields;
  #json: Body | undefined;
  /** The bodies in the other formats. */
  readonly #others = new Map<TableFormat, Body>();

  constructor(
    view: SelectionView,
    {
      extras,
      instants,
      clock,
    }: {
      readonly extras: QuoteExtras;
      readonly instants: InstantTexts;
      readonly clock: Clock;
    },
  ) {
    this.#view = view;
    this.#extras = extras;
    this.#instants = instants;
    this.#pace = new CompressionPace(clock);
    this.#fields = missingFields(view.missing);
  }

  /** Its maximum number of quotes. */
  get quotesMax(): number {
    return this.#view.size;
  }

  /** The current body, with the fields that belong to it. */
  current(format: TableFormat): Content {
    if (this.#view.catchUp()) {
      this.#json = undefined;
      this.#others.clear();
      this.#fields = missingFields(this.#view.missing);
    }
    const body =
      format === 'json'
        ? (this.#json ??= this.#make('json'))
        : this.#others.getOrInsertComputed(format, () => this.#make(format));
    return { body, fields: this.#fields };
  }

  #make(format: TableFormat): Body {
    const { quotes } = this.#view;
    // The text of each quote is cached. To join and encode the texts of the largest panel takes 13 µs;
    // to copy cached bytes into one buffer takes 15 µs.
    const text = quoteList(quotes, format, this.#extras, this.#instants);
    return new Body({
      type: mediaTypeOf(format),
      parts: [Buffer.from(text)],
      mayCompress: (coding) => this.#pace.allows(coding),
    });
  }
}
