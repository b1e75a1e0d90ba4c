import type { Board } from '../../board/board.ts';
import { fromEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { eventTable, inEventOrder } from '../../wire/bodies/event-body.ts';
import type { EventQuery } from '../../wire/params/event-params.ts';
import type { JoinedHistory, SingleHistory } from '../../wire/params/history-params.ts';
import { instantToCome } from '../../wire/params/known-param.ts';
import type { KnownAt } from '../../wire/params/known-param.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { Body } from '../content/body.ts';
import { ifAskedAgain } from '../content/compression-pace.ts';
import type { Found } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields, missingNames } from '../handler/response-draft.ts';
import { joinedFields, resolveNames, sizeProblem } from '../history/joined-responses.ts';
import type { ResponseReading, ReadResponse, ReadResponses } from '../history/read-responses.ts';
import { bodyOfTable, readTable } from '../history/read-table.ts';
import type { ReadTable, TableQuery } from '../history/read-table.ts';
import type { KnownSources } from './known-sources.ts';

/** What a request of one instrument with `conocido` asks for. */
export type KnownOne<Query> = Query &
  KnownAt & {
    /** Undefined if no instrument has the ticker. */
    readonly instrument: Instrument | undefined;
  };

/**
 * The responses of `/historicos` and `/eventos` with `conocido`: what the service would have answered at an
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
  single(rawQuery: string, query: KnownOne<SingleHistory>, format: TableFormat): Found {
    const rows = { ...query, form: 'long', cell: 'closes' } as const;
    return this.#find(`historicos ${format}\n${rawQuery}`, query, () => ({
      ...named(query),
      read: async (onGrowth, instruments) => {
        const { table, unapplied } = await this.#readTable(rows, { format, instruments });
        const body = await bodyOfTable(table, { format, onGrowth });
        const days = unapplied.map(({ day }) => fromEpochDay(day));
        const fields = missingNames({ 'missing-dividendos': days });
        return { ok: true, value: { body, fields, readAt: this.#clock.now() } };
      },
    }));
  }

  /** The closes of several instruments in one table. */
  joined(rawQuery: string, query: JoinedHistory & KnownAt, format: TableFormat): Found {
    return this.#find(`historicos ${format}\n${rawQuery}`, query, () => ({
      ...resolveNames(this.#board, query),
      read: async (onGrowth, instruments) => {
        const sizeMax = this.#rowsMax;
        const { table, unapplied } = await this.#readTable(query, { format, instruments, sizeMax });
        const refused = sizeProblem(table, query, sizeMax);
        if (refused !== undefined) return refused;
        const body = await bodyOfTable(table, { format, onGrowth });
        const fields = joinedFields([], unapplied);
        return { ok: true, value: { body, fields, readAt: this.#clock.now() } };
      },
    }));
  }

  /** The corporate actions of one instrument, or of several with `forma`. */
  events(rawQuery: string, query: EventQuery & KnownAt, format: TableFormat): Found {
    return this.#find(`eventos ${format}\n${rawQuery}`, query, () => ({
      ...resolveNames(
        this.#board,
        'selection' in query ? query : { selection: { tickers: [query.ticker] } },
      ),
      read: async (onGrowth, instruments) => {
        const [from, to] = [toEpochDay(query.from), toEpochDay(query.to)];
        const actions = await this.#sources.actionsAt(query.knownAt);
        const rows = instruments.flatMap(({ ticker }) =>
          inEventOrder(actions.of(ticker).filter(({ exDay }) => exDay >= from && exDay <= to)),
        );
        const body = new Body({
          type: mediaTypeOf(format),
          parts: [Buffer.from(eventTable(rows, format))],
          mayCompress: ifAskedAgain(),
          onGrowth,
        });
        return { ok: true, value: { body, fields: Fields.none } };
      },
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
  #find(key: string, { knownAt }: KnownAt, begin: () => Request): Found {
    const problem = instantToCome({ knownAt }, this.#clock.now());
    if (problem !== undefined) return { ok: false, problem };
    return this.#responses.find(key, (): ResponseReading => {
      const { instruments, missing, read } = begin();
      return {
        instruments,
        read: async (onGrowth) => {
          const since = await this.#since(instruments);
          // Nothing is kept while an older version writes. Whether that has ended is not reported.
          const isStale = (): boolean => since === undefined;
          const from = since ?? this.#clock.now();
          const result = await read(onGrowth, knownAt < from ? [] : instruments);
          if (!result.ok) return { isStale, result };
          const own = ['conocido-desde', instantText(from), ...missingFields(missing).list];
          const fields = new Fields([...own, ...result.value.fields.list]);
          return { isStale, result: { ok: true, value: { ...result.value, fields } } };
        },
      };
    });
  }

  /** The instant since which the changes of all these instruments are kept. */
  async #since(instruments: readonly Instrument[]): Promise<number | undefined> {
    let latest: number | undefined;
    for (const { ticker } of instruments) {
      const since = await this.#sources.since(ticker);
      if (since === undefined) return undefined;
      latest = Math.max(latest ?? since, since);
    }
    return latest ?? this.#sources.began();
  }

  async #readTable(
    query: TableQuery & KnownAt,
    {
      sizeMax = Infinity,
      ...options
    }: {
      readonly format: TableFormat;
      readonly instruments: readonly Instrument[];
      readonly sizeMax?: number;
    },
  ): Promise<ReadTable> {
    const sources = await this.#sources.at(query.knownAt);
    return readTable(sources, query, { ...options, sizeMax, instants: this.#instants });
  }
}

/** What a request is about, and how its result is read. */
interface Request {
  readonly instruments: readonly Instrument[];
  /** The tickers that no instrument has. */
  readonly missing: readonly string[];
  /** @param instruments those of the request, or none if the instant is before what is kept */
  readonly read: (
    onGrowth: () => void,
    instruments: readonly Instrument[],
  ) => Promise<ReadResponse['result']>;
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
