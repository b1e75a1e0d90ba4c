import type { Board } from '../../board/board.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { JoinedHistory, SingleHistory } from '../../wire/params/history-params.ts';
import type { KnownAt } from '../../wire/params/known-param.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { ResponseMemory, ReadResponse } from '../answers/answers.ts';
import type { HistoryRevisions } from '../answers/history-revisions.ts';
import type { Sliced } from '../answers/read-queue.ts';
import type { Found } from '../content/content.ts';
import type { Fields } from '../handler/fields.ts';
import { missingNames } from '../handler/response-draft.ts';
import type { Caller } from '../handler/visit.ts';
import { joinedFields, resolveNames } from '../history/joined-responses.ts';
import {
  readTable,
  rowsOfTable,
  tooManyRows,
  type ReadTable,
  type TableQuery,
} from '../history/read-table.ts';
import { asOf } from './as-of.ts';
import type { KnownSources } from './known-sources.ts';

/** What a request of one instrument with `conocido` asks for. */
export type KnownOne<Query> = Query &
  KnownAt & {
    /** Undefined if no instrument has the ticker. */
    readonly instrument: Instrument | undefined;
  };

/** The responses of `/historicos` with `conocido`: what the service would have answered at an instant. */
export class KnownResponses {
  readonly #sources: KnownSources;
  readonly #board: Pick<Board, 'resolve'>;
  readonly #instants: InstantTexts;
  readonly #rowsMax: number;
  readonly #revisions: HistoryRevisions;
  readonly #memory: ResponseMemory;

  constructor(options: {
    readonly sources: KnownSources;
    readonly board: Pick<Board, 'resolve'>;
    readonly instants: InstantTexts;
    /** Maximum number of rows of several instruments, or of dates multiplied by instruments. */
    readonly rowsMax: number;
    readonly revisions: HistoryRevisions;
    readonly memory: ResponseMemory;
  }) {
    this.#sources = options.sources;
    this.#board = options.board;
    this.#instants = options.instants;
    this.#rowsMax = options.rowsMax;
    this.#revisions = options.revisions;
    this.#memory = options.memory;
  }

  /** The closes of one instrument. */
  single(
    rawQuery: string,
    query: KnownOne<SingleHistory>,
    format: TableFormat,
    caller: Caller,
  ): Found {
    const rows = { ...query, form: 'long', cell: 'closes' } as const;
    const { knownAt } = query;
    return this.#find(rawQuery, { format, caller }, () => ({
      ...named(query),
      knownAt,
      read: (instruments, of) =>
        this.#read(rows, { format: of, instruments, sizeMax: Infinity }, (unapplied) =>
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
    const { knownAt } = query;
    return this.#find(rawQuery, { format, caller }, () => {
      const { instruments: all, missing } = resolveNames(this.#board, query);
      return {
        knownAt,
        instruments: all,
        missing,
        tooMany: () => this.#tooMany(query, all),
        read: (instruments, of) =>
          this.#read(query, { format: of, instruments, sizeMax }, (unapplied) =>
            joinedFields([], unapplied),
          ),
      };
    });
  }

  #find(
    rawQuery: string,
    asked: { readonly format: TableFormat; readonly caller: Caller },
    open: () => Parameters<typeof asOf>[0],
  ): Found {
    const parts = {
      sources: this.#sources,
      revisions: this.#revisions,
      clock: this.#memory.clock,
    };
    return this.#memory.find(`/historicos ${rawQuery}`, asked, () => asOf(open(), parts));
  }

  async *#tooMany(
    query: TableQuery & KnownAt,
    instruments: readonly Instrument[],
  ): ReturnType<typeof tooManyRows> {
    const sources = await this.#sources.at(query.knownAt);
    return yield* tooManyRows(sources, query, { instruments, sizeMax: this.#rowsMax });
  }

  async *#read(
    query: TableQuery & KnownAt,
    options: {
      readonly format: TableFormat;
      readonly instruments: readonly Instrument[];
      readonly sizeMax: number;
    },
    fieldsOf: (unapplied: ReadTable['unapplied']) => Fields,
  ): Sliced<Parsed<ReadResponse>> {
    const sources = await this.#sources.at(query.knownAt);
    const read = yield* readTable(sources, query, { ...options, instants: this.#instants });
    if (!read.ok) return read;
    const rows = yield* rowsOfTable(read.value.table);
    const fields = fieldsOf(read.value.unapplied);
    return { ok: true, value: { rows, fields, readAt: this.#memory.clock.now() } };
  }
}

function named({
  ticker,
  instrument,
}: {
  readonly ticker: string;
  readonly instrument: Instrument | undefined;
}): { readonly instruments: readonly Instrument[]; readonly missing: readonly string[] } {
  return instrument === undefined
    ? { instruments: [], missing: [ticker] }
    : { instruments: [instrument], missing: [] };
}
