import type { Board } from '../../board/board.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { JoinedHistory } from '../../wire/params/history-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { missingHeader } from '../../wire/texts/missing-header.ts';
import type { Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields } from '../handler/response-draft.ts';
import type { Caller } from '../handler/visit.ts';
import type { CountedSources } from './read-range.ts';
import type { ReadQueue, Sliced } from '../answers/read-queue.ts';
import { ReadResponses } from './read-responses.ts';
import type { ReadResponse } from './read-responses.ts';
import { bodyOfTable, readTable } from './read-table.ts';
import type { ReadTable } from './read-table.ts';

/**
 * The responses of `/historicos` with `forma`: the series of several instruments in one table (contract
 * 4.2.10 to 4.2.14). They are cached by the text of their queries ({@link ReadResponses}).
 *
 * Only the range of the request is read, and no series is cached on its own: the whole series of a panel
 * would evict all others.
 *
 * A response is read again after a change of the closes or the corporate actions of one of its instruments
 * ({@link invalidate}), and when a quote reaches the ex date of an action that was to come.
 */
export class JoinedResponses {
  readonly #sources: CountedSources;
  readonly #board: Pick<Board, 'resolve'>;
  readonly #clock: Clock;
  readonly #instants: InstantTexts | undefined;
  readonly #rowsMax: number;
  readonly #responses: ReadResponses;

  constructor(
    options: CountedSources & {
      readonly board: Pick<Board, 'resolve'>;
      readonly clock: Clock;
      /** Renders the instants of the closes. Without it, they cannot be requested. */
      readonly instants?: InstantTexts;
      /** Maximum number of rows of a response, or of dates multiplied by instruments. */
      readonly rowsMax: number;
      readonly bytesMax: number;
      readonly queue: ReadQueue;
    },
  ) {
    this.#sources = options;
    this.#board = options.board;
    this.#clock = options.clock;
    this.#instants = options.instants;
    this.#rowsMax = options.rowsMax;
    this.#responses = new ReadResponses(options);
  }

  /** The response to a query as sent. */
  find(rawQuery: string, query: JoinedHistory, format: TableFormat, caller: Caller): Found {
    return this.#responses.find(`${format}\n${rawQuery}`, caller, () => {
      const { instruments, missing } = resolveNames(this.#board, query);
      return {
        instruments,
        read: (onGrowth) => this.#read(query, { format, instruments, missing, onGrowth }),
      };
    });
  }

  /** Drops the responses with instruments whose closes or corporate actions have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    this.#responses.invalidate(tickers);
  }

  /** Drops all responses. */
  clear(): void {
    this.#responses.clear();
  }

  async *#read(
    query: JoinedHistory,
    {
      format,
      instruments,
      missing,
      onGrowth,
    }: {
      readonly format: TableFormat;
      readonly instruments: readonly Instrument[];
      readonly missing: readonly string[];
      readonly onGrowth: () => void;
    },
  ): Sliced<ReadResponse> {
    const [sizeMax, instants] = [this.#rowsMax, this.#instants];
    const read = yield* readTable(this.#sources, query, { format, instruments, sizeMax, instants });
    if (!read.ok) return { result: read };
    const { table, stale, unapplied } = read.value;
    const body = yield* bodyOfTable(table, { format, onGrowth });
    const fields = joinedFields(missing, unapplied);
    return {
      isStale: () => this.#isStale(stale),
      result: { ok: true, value: { body, fields, readAt: this.#clock.now() } },
    };
  }

  #isStale(stale: ReadTable['stale']): boolean {
    return stale.some(({ instrument, day: from }) => {
      const day = this.#sources.sessionDay(instrument);
      return day !== undefined && day >= from;
    });
  }
}

/** The instruments that a request names, in order, and the names that are none. */
export function resolveNames(
  board: Pick<Board, 'resolve'>,
  { selection }: Pick<JoinedHistory, 'selection'>,
): { readonly instruments: readonly Instrument[]; readonly missing: readonly string[] } {
  const named = board.resolve(selection);
  return {
    instruments: named.filter((one) => typeof one !== 'string'),
    missing: named.filter((one) => typeof one === 'string'),
  };
}

/**
 * The fields that name unknown tickers, and the dividends that are not adjusted for with their tickers. A
 * ticker has no colon, so the only one of an entry is left as it is.
 */
export function joinedFields(
  missing: readonly string[],
  unapplied: ReadTable['unapplied'],
): Fields {
  const unknown = missingFields(missing);
  if (unapplied.length === 0) return unknown;
  const named = unapplied.map(({ instrument, day }) => `${instrument.ticker}:${fromEpochDay(day)}`);
  const dividends = missingHeader(named).replaceAll('%3A', ':');
  return new Fields([...unknown.list, 'missing-dividendos', dividends]);
}
