import { setImmediate as nextTurn } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import { fromEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { joinedTable } from '../../wire/bodies/joined-history.ts';
import type { JoinedTable } from '../../wire/bodies/joined-history.ts';
import type { JoinedHistory } from '../../wire/params/history-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { missingHeader } from '../../wire/texts/missing-header.ts';
import { Body } from '../content/body.ts';
import { ifAskedAgain } from '../content/compression-pace.ts';
import { lastModifiedOf } from '../content/content.ts';
import type { Content, Found } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields } from '../handler/response-draft.ts';
import { readRange } from './read-range.ts';
import type { RangeSources } from './read-range.ts';

/** The memory of a cached response besides its body and its query, in bytes. */
const bytesPerResponse = 2_048;

/** What was read for a request. */
interface Response {
  readonly instruments: readonly Instrument[];
  /** When the quotes of instruments reach these days, the response is on another basis. */
  readonly stale: readonly { readonly instrument: Instrument; readonly from: EpochDay }[];
  readonly result: Parsed<{
    readonly body: Body;
    readonly fields: Fields;
    readonly readAt: number;
  }>;
}

/**
 * The responses of `/historicos` with `forma`: the series of several instruments in one table (contract
 * 4.2.10 to 4.2.14). They are cached by the text of their queries, within a limit of bytes; beyond it, the
 * least recently used is evicted. A refusal is cached, too.
 *
 * Only the range of the request is read, and no series is cached on its own: the whole series of a panel
 * would evict all others. Other requests are answered between the reads of two instruments.
 *
 * A response is read again after a change of the closes or the corporate actions of one of its instruments
 * ({@link invalidate}), and when a quote reaches the ex date of an action that was to come.
 */
export class JoinedResponses {
  readonly #sources: RangeSources;
  readonly #board: Pick<Board, 'resolve'>;
  readonly #clock: Clock;
  readonly #instants: InstantTexts | undefined;
  readonly #rowsMax: number;
  readonly #cached: LRUCache<string, Response>;
  readonly #underWay = new Map<
    string,
    { readonly instruments: readonly Instrument[]; readonly response: Promise<Response> }
  >();

  /** Settles when no response is being built: one at a time, or many large ones would fill the memory. */
  #built: Promise<unknown> = Promise.resolve();

  constructor(
    options: RangeSources & {
      readonly board: Pick<Board, 'resolve'>;
      readonly clock: Clock;
      /** Renders the instants of the closes. Without it, they cannot be requested. */
      readonly instants?: InstantTexts;
      /** Maximum number of rows of a response, or of dates multiplied by instruments. */
      readonly rowsMax: number;
      readonly bytesMax: number;
    },
  ) {
    this.#sources = options;
    this.#board = options.board;
    this.#clock = options.clock;
    this.#instants = options.instants;
    this.#rowsMax = options.rowsMax;
    this.#cached = new LRUCache({ maxSize: options.bytesMax });
  }

  /** The response to a query as sent. */
  find(rawQuery: string, query: JoinedHistory, format: TableFormat): Found {
    const key = `${format}\n${rawQuery}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined && !this.#isStale(cached)) return this.#contentOf(cached);
    const { response } = this.#underWay.get(key) ?? this.#read(key, query, format);
    return response.then((read) => this.#contentOf(read));
  }

  /** Drops the responses with instruments whose closes or corporate actions have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    const changed = new Set(tickers);
    const has = ({ instruments }: { readonly instruments: readonly Instrument[] }): boolean =>
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

  #isStale({ stale }: Response): boolean {
    return stale.some(({ instrument, from }) => {
      const day = this.#sources.sessionDay(instrument);
      return day !== undefined && day >= from;
    });
  }

  #contentOf({ result }: Response): Parsed<Content> {
    if (!result.ok) return result;
    const { body, fields, readAt } = result.value;
    const lastModified = lastModifiedOf(readAt);
    if (this.#clock.now() < lastModified) return { ok: true, value: { body, fields } };
    const date = ['last-modified', new Date(lastModified).toUTCString()];
    const dated = new Fields([...date, ...fields.list]);
    return { ok: true, value: { body, fields: dated, lastModified } };
  }

  #read(
    key: string,
    query: JoinedHistory,
    format: TableFormat,
  ): { readonly response: Promise<Response> } {
    const named = this.#board.resolve(query.selection);
    const instruments = named.filter((one) => typeof one !== 'string');
    const missing = named.filter((one) => typeof one === 'string');
    const built = this.#built.then(() =>
      this.#respond(key, query, { format, instruments, missing }),
    );
    this.#built = built.catch(() => undefined);
    const response = built.then(
      (read) => {
        // If there is another one, or none, an instrument has changed meanwhile.
        if (this.#underWay.get(key) === reading) {
          this.#underWay.delete(key);
          this.#keep(key, read);
        }
        return read;
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

  async #respond(
    key: string,
    query: JoinedHistory,
    {
      format,
      instruments,
      missing,
    }: {
      readonly format: TableFormat;
      readonly instruments: readonly Instrument[];
      readonly missing: readonly string[];
    },
  ): Promise<Response> {
    const { adjustment, fields, form, cell } = query;
    const range = { from: toEpochDay(query.from), to: toEpochDay(query.to) };
    const withBars =
      fields.some((field) => field !== 'instant') ||
      (form === 'wide' && cell !== 'closes' && cell !== 'volumes');
    const table = joinedTable(query, {
      format,
      instruments,
      sizeMax: this.#rowsMax,
      instants: this.#instants,
    });
    const stale: Response['stale'][number][] = [];
    const unapplied: string[] = [];
    for (const instrument of instruments) {
      await nextTurn();
      const read = await readRange(this.#sources, instrument, { range, adjustment, withBars });
      table.add(instrument, read.series);
      if (read.staleFrom !== undefined) stale.push({ instrument, from: read.staleFrom });
      for (const day of read.series.unapplied) {
        unapplied.push(`${instrument.ticker}:${fromEpochDay(day)}`);
      }
    }
    if (table.size > this.#rowsMax) {
      const type = form === 'long' ? 'rows-too-many' : 'cells-too-many';
      const problem = { type, count: table.size, max: this.#rowsMax } as const;
      return { instruments, stale, result: { ok: false, problem } };
    }
    const body = new Body({
      type: mediaTypeOf(format),
      parts: [await bytesOf(table)],
      mayCompress: ifAskedAgain(),
      onGrowth: () => this.#weighAgain(key),
    });
    const value = { body, fields: fieldsOf(missing, unapplied), readAt: this.#clock.now() };
    return { instruments, stale, result: { ok: true, value } };
  }

  #keep(key: string, response: Response): void {
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

/** The body of a table. Other requests are answered between two parts. */
async function bytesOf(table: JoinedTable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const part of table.parts()) {
    await nextTurn();
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/**
 * The fields that name unknown tickers, and the dividends that are not adjusted for with their tickers. A
 * ticker has no colon, so the only one of an entry is left as it is.
 */
function fieldsOf(missing: readonly string[], unapplied: readonly string[]): Fields {
  const unknown = missingFields(missing);
  if (unapplied.length === 0) return unknown;
  const dividends = missingHeader(unapplied).replaceAll('%3A', ':');
  return new Fields([...unknown.list, 'missing-dividendos', dividends]);
}
