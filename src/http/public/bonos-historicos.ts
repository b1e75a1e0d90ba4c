import type { Board } from '../../board/board.ts';
import {
  bondHistoryTable,
  bonosHistoricos as operation,
  type ValuedClose,
} from '../../contract/paths/bonos-historicos.ts';
import { valuedIn, type Bond } from '../../domain/bonds/bond.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { quotedPrice } from '../../domain/bonds/quoted-price.ts';
import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import { fromEpochDay, toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { rowsBefore } from '../../domain/history/daily-close.ts';
import { periodOf } from '../../domain/history/periods.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { answers, type Answering, type ResponseRows } from '../answers/answers.ts';
import type { HistoryRevisions } from '../answers/history-revisions.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { figuresOf } from '../bonds/bond-rows.ts';
import { CloseRates } from '../bonds/close-rates.ts';
import { MissingInputs } from '../bonds/missing-inputs.ts';
import type { ContentSource } from '../content/content.ts';
import type { SeriesReader } from '../history/read-table.ts';

/** A bond by one of its classes. */
interface BondClass {
  readonly instrument: Instrument;
  readonly bond: Bond;
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
  }: {
    readonly board: Board;
    readonly bonds: Bonds;
    readonly rates: ConversionRates;
    readonly history: SeriesReader;
    readonly indices: () => IndexSeries;
    readonly revisions: HistoryRevisions;
  },
  answering: Answering,
): ContentSource {
  const { universe } = board;
  const closeRates = new CloseRates(universe, rates);

  const classOf = (ticker: string, missing: MissingInputs): BondClass | undefined => {
    const instrument = universe.find(ticker);
    const bond = instrument && bonds.of(instrument);
    if (instrument === undefined) missing.tickers.add(ticker);
    else if (bond === undefined) missing.terms.add(instrument.ticker);
    return instrument && bond && { instrument, bond };
  };

  return answers(
    operation,
    (query) => {
      const { range, against, period, dollar } = query;
      const tickers = [range.ticker, ...(against === undefined ? [] : [against])];
      const { instruments } = board.named({ tickers });
      const days = { from: toEpochDay(range.from), to: toEpochDay(range.to) };
      const table = bondHistoryTable.with(against === undefined ? [] : ['against']);

      async function* read(
        own: BondClass,
        other: BondClass | undefined,
        { missing, format }: { readonly missing: MissingInputs; readonly format: TableFormat },
      ): Sliced<Parsed<ResponseRows>> {
        const indices = currentIndices();
        const classes = [own, ...(other === undefined ? [] : [other])];
        const closesOf = (one: BondClass) => history.readSeries(one.instrument.ticker, days);
        const all = await Promise.all(classes.map(closesOf));
        const isForeign = classes.some(
          ({ instrument, bond }) => instrument.currency !== valuedIn(bond.terms),
        );
        const rateAt = isForeign ? await closeRates.read(dollar, days, { history, indices }) : undefined;
        /** The figures of a class at the close of a session. Undefined without that close. */
        const figuresAt = (at: number, day: EpochDay, rate: number | undefined) => {
          const [of, series] = [classes[at], all[at]];
          const row = rowsBefore(series?.days ?? new Int32Array(0), day);
          const last = series?.days[row] === day ? series.closes[row] : undefined;
          if (of === undefined || last === undefined) return undefined;
          const price = quotedPrice({ instrument: of.instrument, last });
          const figures = figuresOf(of.bond, query, {
            price,
            day: fromEpochDay(day),
            rate,
            indices,
          });
          const { index } = figures;
          if (index?.value === null) missing.indices.add(`${index.index} ${index.day}`);
          return figures;
        };
        const rowOf = (value: number): ValuedClose => {
          const day = value as EpochDay;
          const { rate, missingDay } = rateAt?.(day) ?? {};
          if (missingDay !== undefined) missing.indices.add(`A3500 ${missingDay}`);
          const figures = figuresAt(0, day, rate) as BondValuation;
          const itsFigures = figuresAt(1, day, rate);
          return {
            instrument: own.instrument,
            date: fromEpochDay(day),
            figures,
            against: itsFigures,
          };
        };
        const keyOf = periodOf[period];
        const shown = (all[0]?.days ?? new Int32Array(0)).filter(
          (day, row, { [row + 1]: next }) => next === undefined || keyOf(next) !== keyOf(day),
        );
        const texts: Buffer[] = [];
        for (let at = 0; at < shown.length; at += rowsPerSlice) {
          yield;
          const rows = Array.from(shown.subarray(at, at + rowsPerSlice), rowOf);
          texts.push(table.texts(rows, rows.length, format).between(0, rows.length));
        }
        return { ok: true, value: { rows: table.ofTexts(texts), missing: missing.names() } };
      }

      return {
        madeOf: () => [revisions.latest([...instruments, ...closeRates.instruments]), currentIndices()],
        answer: (format) => {
          const missing = new MissingInputs();
          const own = classOf(range.ticker, missing);
          const other = against === undefined ? undefined : classOf(against, missing);
          if (own !== undefined) return { read: () => read(own, other, { missing, format }) };
          return { rows: table.of([]), missing: missing.names() };
        },
      };
    },
    answering,
  );
}
