import {
  bondHistoryTable,
  bonosHistoricos as operation,
  type ValuedClose,
} from '../../contract/paths/bonos-historicos.ts';
import { valuedIn } from '../../domain/bonds/bond.ts';
import { quotedPrice } from '../../domain/bonds/quoted-price.ts';
import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { rowsBefore, type CloseSeries } from '../../domain/history/daily-close.ts';
import { periodOf } from '../../domain/history/periods.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import {
  answers,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
} from '../answers/answers.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { figuresOf } from '../bonds/bond-rows.ts';
import { CloseRates } from '../bonds/close-rates.ts';
import { MissingInputs, type BondClass } from '../bonds/missing-inputs.ts';
import type { PathParts } from './path-parts.ts';

/** A bond by one of its classes, with the closes of it. */
interface BondCloses extends BondClass {
  readonly series: CloseSeries;
}

/** Number of rows that are valued in one slice: some milliseconds. */
const rowsPerSlice = 16;

/** The figures of a bond at its closes, each settled as a trade of its session (contract 4.20). */
export function bonosHistoricos(
  {
    board,
    bonds,
    rates,
    history,
    indices: currentIndices,
    revisions,
  }: Pick<PathParts, 'board' | 'bonds' | 'rates' | 'history' | 'indices' | 'revisions'>,
  answering: Answering,
): AnsweringRoute {
  const { universe } = board;
  const closeRates = new CloseRates(universe, rates);

  return answers(
    operation,
    (query) => {
      const { ticker, days, against, period, dollar } = query;
      const tickers = [ticker, ...(against === undefined ? [] : [against])];
      const { instruments } = board.named({ tickers });
      const readFrom = [...instruments, ...closeRates.instruments];
      const table = bondHistoryTable.with(against === undefined ? [] : ['contra']);

      async function* read(
        own: BondClass,
        other: BondClass | undefined,
        { missing, format }: { readonly missing: MissingInputs; readonly format: TableFormat },
      ): Sliced<RowsOrProblem> {
        const indices = currentIndices();
        const withCloses = async (one: BondClass): Promise<BondCloses> => {
          return { ...one, series: await history.readSeries(one.instrument.ticker, days) };
        };
        const [ours, theirs] = await Promise.all([withCloses(own), other && withCloses(other)]);
        const isForeign = [own, other].some(
          (one) => one !== undefined && one.instrument.currency !== valuedIn(one.bond.terms),
        );
        const rateAt = isForeign
          ? await closeRates.read(dollar, days, { history, indices })
          : undefined;
        const figuresAt = (
          { instrument, bond, series }: BondCloses,
          row: number,
          rate: number | undefined,
        ): BondValuation => {
          const day = fromEpochDay(series.days[row] as EpochDay);
          const price = quotedPrice({ instrument, last: series.closes[row] as number });
          const figures = figuresOf(bond, query, { price, day, rate, indices });
          missing.noteIndex(figures.index);
          return figures;
        };
        const rowOf = (value: number): ValuedClose => {
          const day = value as EpochDay;
          const conversion = rateAt?.(day) ?? {};
          missing.noteRate(conversion);
          const { rate } = conversion;
          const row = theirs && rowsBefore(theirs.series.days, day);
          const isClosed = row !== undefined && theirs?.series.days[row] === day;
          return {
            instrument: own.instrument,
            date: fromEpochDay(day),
            figures: figuresAt(ours, rowsBefore(ours.series.days, day), rate),
            against: isClosed ? figuresAt(theirs, row, rate) : undefined,
          };
        };
        const keyOf = periodOf[period];
        const shown = ours.series.days.filter(
          (day, row, { [row + 1]: next }) => next === undefined || keyOf(next) !== keyOf(day),
        );
        const texts: Buffer[] = [];
        for (let at = 0; at < shown.length; at += rowsPerSlice) {
          yield;
          const rows = Array.from(shown.subarray(at, at + rowsPerSlice), rowOf);
          texts.push(table.texts(rows, rows.length, format).between(0, rows.length));
        }
        return { rows: table.ofTexts(texts), missing: missing.names() };
      }

      return {
        madeOf: () => [revisions.latest(readFrom), currentIndices()],
        answer: (format) => {
          const missing = new MissingInputs();
          const known = { universe, bonds };
          const own = missing.classOf(ticker, known);
          const other = against === undefined ? undefined : missing.classOf(against, known);
          if (own !== undefined) return { read: () => read(own, other, { missing, format }) };
          return { rows: table.of([]), missing: missing.names() };
        },
      };
    },
    answering,
  );
}
