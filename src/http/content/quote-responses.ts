import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { SelectionView } from '../../board/selection-view.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { Clock } from '../../lib/clock.ts';
import { csvType } from '../../wire/csv-text.ts';
import { quoteListJson } from '../../wire/quote-body.ts';
import { quoteListCsv } from '../../wire/quote-csv.ts';
import { parseQuoteParams } from '../../wire/quote-params.ts';
import { jsonType, missingFields } from '../exchange/answer.ts';
import type { Fields } from '../exchange/fields.ts';
import { Body } from './body.ts';
import { CompressionPace } from './compression-pace.ts';
import type { BodyFormat } from './negotiation.ts';
import type { Content } from './content.ts';

/** What one quote's part of a kept answer weighs: JSON, CSV and all codings of both, rounded up. */
const bytesPerQuoteMax = 1_024;

/** What a kept answer weighs besides its quotes. */
const bytesPerResponse = 1_024;

/**
 * The answers of `/cotizaciones`, kept by the very text of their queries: one who asks again costs
 * a look-up, and nothing is read, rendered or compressed before a quote of the answer changes.
 *
 * The eleven panels are kept for good. Other selections are kept within `responsesBytesMax`, those
 * asked for last; what is not kept is made anew.
 */
export class QuoteResponses {
  readonly #board: Board;
  readonly #tickersMax: number;
  readonly #clock: Clock;
  readonly #panels = new Map<readonly (Instrument | string)[], QuoteResponse>();
  readonly #kept: LRUCache<string, Parsed<QuoteResponse>>;

  constructor(options: {
    readonly board: Board;
    readonly clock: Clock;
    readonly tickersMax: number;
    readonly responsesBytesMax: number;
  }) {
    this.#board = options.board;
    this.#clock = options.clock;
    this.#tickersMax = options.tickersMax;
    this.#kept = new LRUCache({ maxSize: options.responsesBytesMax });
  }

  /** The answer to a raw query. */
  find(rawQuery: string): Parsed<QuoteResponse> {
    const kept = this.#kept.get(rawQuery);
    return kept ?? this.#make(rawQuery);
  }

  #make(rawQuery: string): Parsed<QuoteResponse> {
    const selection = parseQuoteParams(rawQuery, this.#tickersMax);
    if (!selection.ok) return selection;
    const { tickers, panel } = selection.value;
    const isPanel = tickers.length === 0 && panel !== undefined;
    const value = isPanel
      ? this.#panelAnswer(this.#board.resolve(selection.value))
      : this.#newAnswer(this.#board.select(selection.value));
    const ownBytes = isPanel ? 0 : value.quotesMax * bytesPerQuoteMax;
    const answer = { ok: true, value } as const;
    this.#kept.set(rawQuery, answer, { size: rawQuery.length * 2 + bytesPerResponse + ownBytes });
    return answer;
  }

  /** However a panel is asked for, by its alias as well, it is one answer. */
  #panelAnswer(members: readonly (Instrument | string)[]): QuoteResponse {
    const known = this.#panels.get(members);
    if (known !== undefined) return known;
    const answer = this.#newAnswer(this.#board.view(members));
    this.#panels.set(members, answer);
    return answer;
  }

  #newAnswer(view: SelectionView): QuoteResponse {
    return new QuoteResponse(view, this.#clock);
  }
}

/** The answer to one selection: its bodies, each made when first asked for after a change. */
export class QuoteResponse {
  readonly #view: SelectionView;
  readonly #pace: CompressionPace;
  #fields: Fields;
  #json: Body | undefined;
  #csv: Body | undefined;

  constructor(view: SelectionView, clock: Clock) {
    this.#view = view;
    this.#pace = new CompressionPace(clock);
    this.#fields = missingFields(view.missing);
  }

  /** How many quotes it has at most. */
  get quotesMax(): number {
    return this.#view.size;
  }

  /** The body as of now, with the headers that belong to it. */
  current(format: BodyFormat): Content {
    if (this.#view.catchUp()) {
      this.#json = undefined;
      this.#csv = undefined;
      this.#fields = missingFields(this.#view.missing);
    }
    const body =
      format === 'csv' ? (this.#csv ??= this.#make('csv')) : (this.#json ??= this.#make('json'));
    return { body, fields: this.#fields };
  }

  #make(format: BodyFormat): Body {
    const { quotes } = this.#view;
    // The texts are kept with the quotes. To join and encode them takes 13 µs for the largest panel;
    // to copy kept bytes into one buffer takes 15.
    const text = format === 'csv' ? quoteListCsv(quotes) : quoteListJson(quotes);
    return new Body({
      type: format === 'csv' ? csvType : jsonType,
      parts: [Buffer.from(text)],
      mayCompress: (coding) => this.#pace.allows(coding),
    });
  }
}
