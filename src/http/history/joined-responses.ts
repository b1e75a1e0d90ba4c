import type { Board } from '../../board/board.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { JoinedHistory } from '../../wire/params/history-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { missingHeader } from '../../wire/texts/missing-header.ts';
import type { ResponseMemory, ResponseSource } from '../answers/answers.ts';
import type { HistoryRevisions } from '../answers/history-revisions.ts';
import type { Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields } from '../handler/response-draft.ts';
import type { Caller } from '../handler/visit.ts';
import type { CountedSources } from './read-range.ts';
import { readTable, rowsOfTable, type ReadTable } from './read-table.ts';

/**
 * The responses of `/historicos` with `forma`: the series of several instruments in one table (contract
 * 4.2.10 to 4.2.14).
 *
 * Only the range of the request is read, and no series is cached on its own: the whole series of a panel
 * would evict all others.
 *
 * A response is read again after a change of one of its instruments, and when a quote reaches the ex date of an
 * action that was to come.
 */
export class JoinedResponses {
  readonly #sources: CountedSources;
  readonly #board: Pick<Board, 'resolve'>;
  readonly #instants: InstantTexts | undefined;
  readonly #rowsMax: number;
  readonly #revisions: HistoryRevisions;
  readonly #memory: ResponseMemory;

  constructor(
    options: CountedSources & {
      readonly board: Pick<Board, 'resolve'>;
      /** Renders the instants of the closes. Without it, they cannot be requested. */
      readonly instants?: InstantTexts;
      /** Maximum number of rows of a response, or of dates multiplied by instruments. */
      readonly rowsMax: number;
      readonly revisions: HistoryRevisions;
      readonly memory: ResponseMemory;
    },
  ) {
    this.#sources = options;
    this.#board = options.board;
    this.#instants = options.instants;
    this.#rowsMax = options.rowsMax;
    this.#revisions = options.revisions;
    this.#memory = options.memory;
  }

  /** The response to a query as sent. */
  find(rawQuery: string, query: JoinedHistory, format: TableFormat, caller: Caller): Found {
    const key = `/historicos ${rawQuery}`;
    return this.#memory.find(key, { format, caller }, () => this.#open(query));
  }

  #open(query: JoinedHistory): ResponseSource {
    const { instruments, missing } = resolveNames(this.#board, query);
    const options = { instruments, sizeMax: this.#rowsMax, instants: this.#instants };
    const [sources, revisions, { clock }] = [this.#sources, this.#revisions, this.#memory];
    let stale: ReadTable['stale'] = [];
    let basis = 0;
    const isStale = (): boolean =>
      stale.some(({ instrument, day: from }) => {
        const day = sources.sessionDay(instrument);
        return day !== undefined && day >= from;
      });
    return {
      madeOf: () => {
        if (isStale()) [basis, stale] = [basis + 1, []];
        return [revisions.latest(instruments), basis];
      },
      answer: () => ({
        async *read(format) {
          const read = yield* readTable(sources, query, { format, ...options });
          if (!read.ok) return read;
          const { table, unapplied } = read.value;
          const rows = yield* rowsOfTable(table);
          ({ stale } = read.value);
          const fields = joinedFields(missing, unapplied);
          return { ok: true, value: { rows, fields, readAt: clock.now() } };
        },
      }),
    };
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
