import type { Board } from '../../board/board.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { JoinedHistory, SingleHistory } from '../../wire/params/history-params.ts';
import { instantToCome } from '../../wire/params/known-param.ts';
import type { KnownAt } from '../../wire/params/known-param.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields, missingNames } from '../handler/response-draft.ts';
import type { Caller } from '../handler/visit.ts';
import { joinedFields, resolveNames } from '../history/joined-responses.ts';
import type { ResponseReading, ReadResponse, ReadResponses } from '../history/read-responses.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { bodyOfTable, readTable, tooManyRows } from '../history/read-table.ts';
import type { ReadTable, TableQuery } from '../history/read-table.ts';
import type { KnownSources } from './known-sources.ts';

/** What a request of one instrument with `conocido` asks for. */
export type KnownOne<Query> = Query &
  KnownAt & {
    /** Undefined if no instrument has the ticker. */
    readonly instrument: Instrument | undefined;
  };

/**
 * The responses of `/historicos` with `conocido`: what the service would have answered at an
 * instant (contract 4.18). They are cached by the text of their queries ({@link ReadResponses}).
 *
 * What was known at a past instant does not change. But a change is visible a moment after its instant, so a
 * response may lack a change of the moments before it was read. Therefore the responses of an instrument are
 * dropped with each of its changes ({@link invalidate}).
 */
export class KnownResponses {
  readonly #sources: KnownSources;
  readonly #board: Pick<Board, 'resolve'>;
  readonly #clock: Clock;
  readonly #instants: InstantTexts;
  readonly #rowsMax: number;
  readonly #responses: ReadResponses;

  constructor(options: {
    readonly sources: KnownSources;
    readonly board: Pick<Board, 'resolve'>;
    readonly clock: Clock;
    readonly instants: InstantTexts;
    /** Maximum number of rows of several instruments, or of dates multiplied by instruments. */
    readonly rowsMax: number;
    /** Where they are cached. */
    readonly responses: ReadResponses;
  }) {
    this.#sources = options.sources;
    this.#board = options.board;
    this.#clock = options.clock;
    this.#instants = options.instants;
    this.#rowsMax = options.rowsMax;
    this.#responses = options.responses;
  }

  /** The closes of one instrument. */
  single(
    rawQuery: string,
    query: KnownOne<SingleHistory>,
    format: TableFormat,
    caller: Caller,
  ): Found {
    const rows = { ...query, form: 'long', cell: 'closes' } as const;
    return this.#find(`historicos ${format}\n${rawQuery}`, { query, caller }, () => ({
      ...named(query),
      read: (onGrowth, instruments) =>
        this.#readTable(rows, { format, instruments, onGrowth, sizeMax: Infinity }, (unapplied) =>
          missingNames({ 'missing-dividendos': unapplied.map(({ day }) => fromEpochDay(day)) }),
        ),
    }));
  }

  /** The closes of several instruments in one table. */
  joined(
    rawQuery: string,
    query: JoinedHistory & KnownAt,
    format: TableFormat,
    caller: Caller,
  ): Found {
    const sizeMax = this.#rowsMax;
    const { instruments: all, missing } = resolveNames(this.#board, query);
    return this.#find(`historicos ${format}\n${rawQuery}`, { query, caller }, () => ({
      instruments: all,
      missing,
      tooMany: () => this.#tooMany(query, all),
      read: (onGrowth, instruments) =>
        this.#readTable(query, { format, instruments, onGrowth, sizeMax }, (unapplied) =>
          joinedFields([], unapplied),
        ),
    }));
  }

  /** Drops the responses of instruments whose closes or corporate actions have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    this.#sources.invalidate(tickers);
    this.#responses.invalidate(tickers);
  }

  /** Drops all responses. */
  clear(): void {
    this.#sources.clear();
    this.#responses.clear();
  }

  /** The response to a query, with the fields that every response as of an instant has. */
  #find(
    key: string,
    { query: { knownAt }, caller }: { readonly query: KnownAt; readonly caller: Caller },
    begin: () => Request,
  ): Found {
    const problem = instantToCome({ knownAt }, this.#clock.now());
    if (problem !== undefined) return { ok: false, problem };
    return this.#responses.find(key, caller, (): ResponseReading => {
      const request = begin();
      const { instruments } = request;
      return { instruments, read: (onGrowth) => this.#read(request, knownAt, onGrowth) };
    });
  }

  async *#read(
    { instruments, missing, tooMany, read }: Request,
    knownAt: number,
    onGrowth: () => void,
  ): Sliced<ReadResponse> {
    // To count the rows takes much less than to find since when they are known.
    const refused = tooMany === undefined ? undefined : yield* tooMany();
    if (refused !== undefined) return { result: refused };
    const since = yield* this.#sources.sinceOfAll(instruments);
    // Nothing is kept while an older version writes. Whether that has ended is not reported.
    const isStale = (): boolean => since === undefined;
    const from = since ?? this.#clock.now();
    const result = yield* read(onGrowth, knownAt < from ? [] : instruments);
    if (!result.ok) return { isStale, result };
    const own = ['conocido-desde', instantText(from), ...missingFields(missing).list];
    const fields = new Fields([...own, ...result.value.fields.list]);
    return { isStale, result: { ok: true, value: { ...result.value, fields } } };
  }

  async *#tooMany(
    query: TableQuery & KnownAt,
    instruments: readonly Instrument[],
  ): ReturnType<typeof tooManyRows> {
    const sources = await this.#sources.at(query.knownAt);
    return yield* tooManyRows(sources, query, { instruments, sizeMax: this.#rowsMax });
  }

  async *#readTable(
    query: TableQuery & KnownAt,
    {
      format,
      instruments,
      onGrowth,
      sizeMax,
    }: {
      readonly format: TableFormat;
      readonly instruments: readonly Instrument[];
      readonly onGrowth: () => void;
      readonly sizeMax: number;
    },
    fieldsOf: (unapplied: ReadTable['unapplied']) => Fields,
  ): Sliced<ReadResponse['result']> {
    const sources = await this.#sources.at(query.knownAt);
    const instants = this.#instants;
    const read = yield* readTable(sources, query, { format, instruments, sizeMax, instants });
    if (!read.ok) return read;
    const body = yield* bodyOfTable(read.value.table, { format, onGrowth });
    const fields = fieldsOf(read.value.unapplied);
    return { ok: true, value: { body, fields, readAt: this.#clock.now() } };
  }
}

/** What a request is about, and how its result is read. */
interface Request {
  readonly instruments: readonly Instrument[];
  /** The tickers that no instrument has. */
  readonly missing: readonly string[];
  /** The problem of a request for more than is allowed. Absent where nothing is limited. */
  readonly tooMany?: () => ReturnType<typeof tooManyRows>;
  /** @param instruments those of the request, or none if the instant is before what is kept */
  readonly read: (
    onGrowth: () => void,
    instruments: readonly Instrument[],
  ) => Sliced<ReadResponse['result']>;
}

function named({
  ticker,
  instrument,
}: {
  readonly ticker: string;
  readonly instrument: Instrument | undefined;
}): Pick<Request, 'instruments' | 'missing'> {
  return instrument === undefined
    ? { instruments: [], missing: [ticker] }
    : { instruments: [instrument], missing: [] };
}
