import type { Board } from '../../board/board.ts';
import { barsOf, startOfBar } from '../../domain/quotes/bar-interval.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { isSameMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { firstEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { BarFormat } from '../../wire/bodies/bar-body.ts';
import type { BarQuery } from '../../wire/params/bar-params.ts';
import { Fields } from '../handler/fields.ts';
import { Body, CompressionPace } from './body.ts';
import type { Content, Found } from './content.ts';

/** The memory of a cached response besides its rows, in bytes: the query, the head, a short text. */
const bytesPerResponse = 4_096;

/** The memory of rows and their compressed forms, in bytes, for each byte of the rows. */
const bytesPerByteOfRows = 2;

/** The finished bars of a response as bytes, and the minutes of the bar that further prices change. */
interface Loaded {
  /** The minute under way when the store was read. Its later minutes are not in the rows. */
  readonly upTo: Bar | undefined;
  readonly range: DayRange;
  readonly rows: Buffer;
  /** The finished minutes of the bar under way. */
  readonly minutes: readonly Bar[];
}

/**
 * The response to one query. The store is read when it is first requested, and again when a minute has been
 * finished since. In between, only the bar under way is rendered, from the latest quote.
 */
export class BarResponse {
  readonly #board: Board;
  readonly #bars: BarReader;
  readonly #calendar: SessionCalendar;
  readonly #instrument: Instrument;
  readonly #query: BarQuery;
  readonly #rows: BarFormat;
  readonly #type: string;
  readonly #onLoad: (response: BarResponse) => void;
  readonly #pace: CompressionPace;
  #loaded: Loaded | undefined;
  #loading: { readonly upTo: Bar | undefined; readonly done: Promise<Parsed<Content>> } | undefined;
  #rendered: { readonly bar: Bar | undefined; readonly content: Parsed<Content> } | undefined;

  constructor(parts: {
    readonly board: Board;
    readonly bars: BarReader;
    readonly clock: Clock;
    readonly calendar: SessionCalendar;
    readonly instrument: Instrument;
    readonly query: BarQuery;
    /** Renders the rows. */
    readonly rows: BarFormat;
    /** The media type of the rows. */
    readonly type: string;
    /** Called when the rows have been read, which changes {@link bytesHeld}. */
    readonly onLoad: (response: BarResponse) => void;
  }) {
    this.#board = parts.board;
    this.#bars = parts.bars;
    this.#calendar = parts.calendar;
    this.#instrument = parts.instrument;
    this.#query = parts.query;
    this.#rows = parts.rows;
    this.#type = parts.type;
    this.#onLoad = parts.onLoad;
    this.#pace = new CompressionPace(parts.clock);
  }

  get ticker(): Ticker {
    return this.#instrument.ticker;
  }

  /** Its approximate memory, in bytes. */
  get bytesHeld(): number {
    return bytesPerResponse + (this.#loaded?.rows.length ?? 0) * bytesPerByteOfRows;
  }

  /** The current content. */
  current(): Found {
    const bar = this.#board.quote(this.#instrument)?.bar;
    const loaded = this.#loaded;
    if (loaded !== undefined && isValid(loaded, bar)) return this.#contentOf(loaded, bar);
    if (this.#loading !== undefined && isSameMinute(this.#loading.upTo, bar)) {
      return this.#loading.done;
    }
    const done = this.#load(bar);
    this.#loading = { upTo: bar, done };
    return done;
  }

  async #load(bar: Bar | undefined): Promise<Parsed<Content>> {
    try {
      const loaded = await this.#read(bar);
      // A request of a later minute may have loaded the rows meanwhile.
      if (this.#loading?.upTo === bar) {
        this.#loaded = loaded;
        this.#rendered = undefined;
        this.#onLoad(this);
      }
      return this.#render(loaded, bar);
    } finally {
      if (this.#loading?.upTo === bar) this.#loading = undefined;
    }
  }

  async #read(bar: Bar | undefined): Promise<Loaded> {
    const { ticker } = this.#instrument;
    const { from, to, interval } = this.#query;
    // Without any bar, each range is without bars.
    const lastDay = bar?.day ?? (await this.#bars.latestBarDay(ticker)) ?? firstEpochDay;
    const range = {
      from: from === undefined ? lastDay : toEpochDay(from),
      to: to === undefined ? lastDay : toEpochDay(to),
    };
    const stored = await this.#bars.readBars(ticker, range);
    // The quote has the minute under way, and the store may be ahead of it.
    const finished =
      bar === undefined ? stored : stored.filter(({ minute }) => minute < bar.minute);
    const start =
      bar === undefined || !isWithin(bar, range)
        ? Number.POSITIVE_INFINITY
        : startOfBar(bar, interval, this.#calendar);
    const { row, separator } = this.#rows;
    const rows = barsOf(
      finished.filter(({ minute }) => minute < start),
      interval,
      this.#calendar,
    ).map((one) => row(this.#instrument, one));
    return {
      upTo: bar,
      range,
      rows: Buffer.from(rows.join(separator)),
      minutes: finished.filter(({ minute }) => minute >= start),
    };
  }

  #contentOf(loaded: Loaded, bar: Bar | undefined): Parsed<Content> {
    if (this.#rendered === undefined || this.#rendered.bar !== bar) {
      this.#rendered = { bar, content: this.#render(loaded, bar) };
    }
    return this.#rendered.content;
  }

  #render({ range, rows, minutes }: Loaded, bar: Bar | undefined): Parsed<Content> {
    const { opening, separator, closing, row } = this.#rows;
    const underWay = bar !== undefined && isWithin(bar, range) ? [...minutes, bar] : [];
    const last = barsOf(underWay, this.#query.interval, this.#calendar)
      .map((one) => row(this.#instrument, one))
      .join(separator);
    const between = rows.length > 0 && last !== '' ? separator : '';
    const body = new Body({
      type: this.#type,
      parts: [Buffer.from(opening), rows, Buffer.from(between + last), Buffer.from(closing)],
      mayCompress: (coding) => this.#pace.allows(coding),
    });
    return { ok: true, value: { body, fields: Fields.none } };
  }
}

/** Whether the rows of a response are those that the store has now. */
function isValid({ upTo, range }: Loaded, bar: Bar | undefined): boolean {
  return isSameMinute(upTo, bar) || (isAfter(upTo, range) && isAfter(bar, range));
}

/** Whether a range is over: its bars are all finished. */
function isAfter(bar: Bar | undefined, { to }: DayRange): boolean {
  return bar !== undefined && bar.day > to;
}

function isWithin({ day }: Bar, { from, to }: DayRange): boolean {
  return day >= from && day <= to;
}
