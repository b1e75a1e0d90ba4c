import type { Board } from '../../board/board.ts';
import type { SelectionView } from '../../board/selection-view.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { rankQuotes } from '../../domain/quotes/rank-quotes.ts';
import { quoteList } from '../../wire/bodies/quote-list.ts';
import type { RankingQuery } from '../../wire/params/reference/ranking-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { Body } from '../content/body.ts';
import type { Content } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';

/**
 * The response to one query. It is sorted again when a quote of the panel has changed, and when one of its
 * markets opens. A text that is the same as before keeps its body.
 */
export class RankingResponse {
  readonly #query: RankingQuery;
  readonly #format: TableFormat;
  readonly #view: SelectionView;
  readonly #calendars: MarketCalendars;
  readonly #instants: InstantTexts;
  /** The calendars of the members of the panel, each once. */
  readonly #markets: readonly SessionCalendar[];
  #sessions = '';
  #rendered: { readonly text: string; readonly content: Content } | undefined;

  constructor({
    board,
    calendars,
    instants,
    query,
    format,
  }: {
    readonly board: Board;
    readonly calendars: MarketCalendars;
    readonly instants: InstantTexts;
    readonly query: RankingQuery;
    readonly format: TableFormat;
  }) {
    const members = board.universe.listOf(query.panel);
    // The amount is one of the fields that are not part of the plain quote.
    const extras = query.by === 'amount' ? extrasOf([...query.extras, 'amount']) : query.extras;
    this.#query = query;
    this.#format = format;
    this.#view = board.view(members, extras);
    this.#calendars = calendars;
    this.#instants = instants;
    this.#markets = [...new Set(members.map((one) => calendars.of(one)))];
  }

  /** The current content. */
  current(now: number): Content {
    const sessions = this.#markets.map((market) => market.sessionAt(now)).join();
    const hasChanged = this.#view.catchUp() || sessions !== this.#sessions;
    if (!hasChanged && this.#rendered !== undefined) return this.#rendered.content;
    this.#sessions = sessions;
    const text = this.#render(now);
    if (this.#rendered?.text !== text)
      this.#rendered = { text, content: contentOf(text, this.#format) };
    return this.#rendered.content;
  }

  #render(now: number): string {
    const { extras } = this.#query;
    const current = this.#view.quotes.filter((quote) => this.#isCurrent(quote, now));
    const ranked = rankQuotes(current, this.#query);
    return quoteList(ranked, this.#format, extras, this.#instants);
  }

  /** Whether a quote is of the session that `/mercados` shows. */
  #isCurrent({ instrument, sessionDate }: Quote, now: number): boolean {
    return this.#calendars.of(instrument).sessionAt(now) === sessionDate;
  }
}

function contentOf(text: string, format: TableFormat): Content {
  const type = mediaTypeOf(format);
  const body = new Body({ type, parts: [Buffer.from(text)], mayCompress: () => true });
  return { body, fields: Fields.none };
}
