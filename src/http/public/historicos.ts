import type { Board } from '../../board/board.ts';
import { conversionFields } from '../../contract/paths/dolares.ts';
import {
  historicos as operation,
  historyRows,
  historyTable,
  type HistoryQuery,
} from '../../contract/paths/historicos.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import { tickerOfDollar } from '../../domain/dollars/dollar.ts';
import type { Adjustment } from '../../domain/history/adjust-series.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { rowsBefore } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { JoinedTexts } from '../../lib/text/joined-texts.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { instantName } from '../../wire/texts/instant-texts.ts';
import {
  answers,
  whenRead,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
  type ResponseSource,
} from '../answers/answers.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { asOf } from '../history/as-of.ts';
import {
  actionsFor,
  nextExDays,
  readRange,
  readTable,
  tooManyRows,
  type InstrumentDay,
  type SeriesSources,
} from '../history/read-table.ts';
import type { PathParts } from './path-parts.ts';

/** What the closes are read from. */
type HistoryParts = SeriesSources &
  Pick<PathParts, 'known' | 'revisions' | 'instants' | 'rowsMax'> & {
    readonly board: Pick<Board, 'named' | 'universe'>;
  };

/** The rows of a whole series in one format, of which each range is a part. */
interface RenderedSeries {
  readonly days: Int32Array;
  readonly texts: JoinedTexts;
  /** The ex days of the cash dividends that the closes are not adjusted for. */
  readonly unapplied: readonly EpochDay[];
  /** In epoch milliseconds. */
  readonly readAt: number;
}

const wholeHistory: DayRange = { from: firstEpochDay, to: lastEpochDay };

/** The daily closes of one instrument, or of several with `forma`, now or as of an instant (contract 4.2 and 4.18). */
export function historicos(parts: HistoryParts, answering: Answering): AnsweringRoute {
  const { board, payments, sessionDay, known, revisions, rowsMax } = parts;
  const { memory } = answering;
  const { clock } = memory;
  const table = historyTable(parts.instants);
  /** The latest ex day that the quote of an instrument has reached: adjusted closes are on the basis after it. */
  const basisOf = (instrument: Instrument, adjustment: Adjustment): EpochDay | undefined => {
    const actions = actionsFor(parts, instrument, adjustment);
    const day = actions.length === 0 ? undefined : sessionDay(instrument);
    const reached = ({ exDay }: CorporateAction): boolean => day !== undefined && exDay <= day;
    return actions.findLast(reached)?.exDay;
  };

  const madeOf = (instrument: Instrument, adjustment: Adjustment): readonly unknown[] => [
    revisions.of(instrument.ticker),
    basisOf(instrument, adjustment),
    ...payments.madeOf([instrument], adjustment, revisions),
  ];

  /** The bonds whose payments the adjustment cannot take, because their terms are not known. */
  const withoutTerms = (of: readonly Instrument[], adjustment: Adjustment): readonly string[] =>
    adjustment === 'total'
      ? of.filter((one) => payments.lacksTerms(one)).map(({ ticker }) => ticker)
      : [];

  /** A whole series. It is read at the first request for one of its ranges. */
  const seriesOf = (
    instrument: Instrument,
    { adjustment, fields }: Pick<HistoryQuery, 'adjustment' | 'fields'>,
    format: TableFormat,
  ): RenderedSeries | Promise<RenderedSeries> => {
    // Without actions, an adjusted series is the one as traded.
    const applied = actionsFor(parts, instrument, adjustment).length === 0 ? 'none' : adjustment;
    const read = async (): Promise<RenderedSeries> => {
      const withBars = fields.some((field) => field !== instantName);
      const shown = { range: wholeHistory, adjustment: applied, withBars };
      const series = await readRange(parts, instrument, shown);
      const { days, unapplied } = series;
      const rows = historyRows(instrument, series);
      const texts = table.with(fields).texts(rows, days.length, format);
      return { days, texts, unapplied, readAt: clock.now() };
    };
    return memory.share(`series ${format} ${applied} ${fields.join()} ${instrument.ticker}`, {
      madeOf: madeOf(instrument, applied),
      read,
      bytesOf: ({ days, texts }) => days.byteLength + texts.bytes,
    });
  };

  /** A range of the series of one instrument. */
  const one = (instrument: Instrument, query: HistoryQuery, { from, to }: DayRange) => {
    const answerOf = ({ days, texts, unapplied, readAt }: RenderedSeries): RowsOrProblem => {
      const text = texts.between(rowsBefore(days, from), rowsBefore(days, to + 1));
      const rows = table.with(query.fields).ofTexts([text]);
      const missing = {
        'missing-terminos': withoutTerms([instrument], query.adjustment),
        'missing-dividendos': unapplied.filter((day) => day > from).map(fromEpochDay),
      };
      return { rows, missing, readAt, isRange: true };
    };
    return {
      madeOf: () => madeOf(instrument, query.adjustment),
      answer: (format) => whenRead(seriesOf(instrument, query, format), answerOf),
    } satisfies ResponseSource;
  };

  return answers(
    operation,
    (query): ResponseSource => {
      const { subject, knownAt, adjustment, fields, period } = query;
      const { instruments, missing } = board.named(subject.selection);
      const { days: range } = subject;
      const [instrument] = instruments;
      const isOne = subject.form === undefined;
      const conversion = query.conversion && {
        to: query.conversion.to,
        dollar: board.universe.find(tickerOfDollar(query.conversion.dollar)),
      };
      /** The instruments whose history the answer is read from. */
      const readFrom = conversion?.dollar ? [...instruments, conversion.dollar] : instruments;
      const isDaily = period === 'day' && conversion === undefined;
      if (isOne && instrument !== undefined && knownAt === undefined && isDaily) {
        return one(instrument, query, range);
      }
      const wanted = {
        ...query,
        form: subject.form ?? 'long',
        cell: subject.cell,
        range,
        conversion,
      };
      const sizeMax = isOne ? Infinity : rowsMax;
      const long = table.with(fields);
      const nameOf = ({ instrument: { ticker }, day }: InstrumentDay): string =>
        isOne ? fromEpochDay(day) : `${ticker}:${fromEpochDay(day)}`;
      async function* read(
        sources: SeriesSources,
        of: readonly Instrument[],
        format: TableFormat,
      ): Sliced<RowsOrProblem> {
        const options = { long, format, instruments: of, sizeMax };
        const result = yield* readTable(sources, wanted, options);
        if (!result.ok) return result;
        const { rows, unapplied, omitted } = result.value;
        return {
          rows,
          missing: {
            'missing-especies': missing,
            'missing-terminos': withoutTerms(of, adjustment),
            'missing-dividendos': unapplied.map(nameOf),
          },
          fields: query.conversion ? conversionFields(query.conversion.dollar, omitted) : [],
          readAt: clock.now(),
        };
      }
      if (knownAt !== undefined) {
        const source = asOf(
          {
            knownAt,
            instruments,
            async *tooMany() {
              return yield* tooManyRows(await known.at(knownAt), wanted, { instruments, sizeMax });
            },
            async *read(of, format) {
              return yield* read(await known.at(knownAt), of, format);
            },
          },
          { sources: known, revisions, clock },
        );
        return {
          ...source,
          madeOf: () => [
            ...source.madeOf(),
            revisions.latest(readFrom),
            ...payments.madeOf(instruments, adjustment, revisions),
          ],
        };
      }
      let [basis, next] = [0, [] as readonly InstrumentDay[]];
      return {
        madeOf: () => {
          const isReached = next.some(({ instrument: of, day }) => (sessionDay(of) ?? 0) >= day);
          if (isReached) [basis, next] = [basis + 1, []];
          const ofPayments = payments.madeOf(instruments, adjustment, revisions);
          return [revisions.latest(readFrom), basis, ...ofPayments];
        },
        answer: (format) => {
          // Of the instant of `madeOf`: a quote that reaches an ex day while the read waits makes the answer stale.
          next = nextExDays(parts, instruments, adjustment);
          return { read: () => read(parts, instruments, format) };
        },
      };
    },
    answering,
  );
}
