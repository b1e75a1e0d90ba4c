import { amortisationOn } from '../../domain/bonds/bond-schedule.ts';
import { couponDatesOf } from '../../domain/bonds/coupon-dates.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { BondTerms, Interest } from '../../domain/instruments/bond-terms.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { tickerKey, type Ticker, type TickerKey } from '../../domain/instruments/ticker.ts';
import { readCsvTable } from '../files/csv-table.ts';
import type { UniverseFault, FileText } from '../files/universe-fault.ts';
import { referredTo, type KnownInstruments } from '../files/known-instruments.ts';
import { bondColumns, type BondColumn, type BondRow, type RowTerms } from './read-cells.ts';
import { readTerms } from './read-terms.ts';

/** The contents of `bonds.csv`: the rows without faults in the order of the file, and all faults. */
interface BondTable {
  readonly bondTerms: readonly BondTerms[];
  readonly faults: readonly UniverseFault[];
}

/** Reads the terms of bonds, one row for each issue. */
export function readBonds(source: FileText, instruments: KnownInstruments): BondTable {
  const bondTerms: BondTerms[] = [];
  /** The line of each ticker that a row has used. */
  const used = new Map<TickerKey, number>();

  const onRow = (row: BondRow): void => {
    const classOf = (column: 'especie' | 'series', text: string): Ticker | undefined => {
      const key = tickerKey(text);
      const before = used.get(key);
      if (before === undefined) {
        used.set(key, row.line);
        return findClass(text, row, column, instruments);
      }
      row.wrong(column, `line ${before} has the terms of this ticker already`, text);
      return undefined;
    };
    // Their dates are compared only if no cell of them has a fault, so they are read first.
    const terms = readTerms(row);
    if (terms !== undefined) checkSchedule(terms, row);
    const { especie, series: seriesText } = row.cells;
    if (especie === '') row.wrong('especie', 'must not be empty');
    const ticker = especie === '' ? undefined : classOf('especie', especie);
    const series = seriesText === '' ? [] : seriesText.split(/\s+/);
    const others = series.flatMap((text) => classOf('series', text) ?? []);
    if (row.isSound && ticker !== undefined && terms !== undefined) {
      bondTerms.push({ ticker, series: others, ...terms });
    }
  };
  const faults = readCsvTable(source, bondColumns, onRow);
  return { bondTerms, faults };
}

/** The ticker of a class as the universe spells it. Undefined after a fault, or if its row has one. */
function findClass(
  text: string,
  row: BondRow,
  column: BondColumn,
  known: KnownInstruments,
): Ticker | undefined {
  const instrument = referredTo(text, known, (message) => row.wrong(column, message, text));
  if (instrument === undefined) return undefined;
  if (!canMature(instrument.kind)) {
    const { kind } = instrument;
    row.wrong(column, `is a ${kind}; only a bond, a corporate-bond or a bill has terms`, text);
  }
  const base = instrument.dollarClass?.base;
  const issue = tickerKey(row.cells.especie);
  if (base !== undefined && tickerKey(base) !== issue && known.byKey.has(issue)) {
    const message = `instruments.csv has it as a class of ${base}; use the row of ${base}`;
    row.wrong(column, message, text);
  }
  const { maturity, ticker } = instrument;
  if (maturity !== undefined && maturity !== (row.cells.vencimiento as PlainDate)) {
    const message = `instruments.csv has the maturity ${maturity} for ${ticker}; correct one of them`;
    row.wrong('vencimiento', message);
  }
  return ticker;
}

/** Maximum difference of the sum of the amortisation from 100, which rounded fractions such as 100/22 cause. */
const sumTolerance = 1e-9;

/** Maximum time from the issue to the maturity, so that no schedule is endless. */
const yearsMax = 100;

/**
 * Maximum rates, in percent, because a rate of 2.55 is easily written as 25.5 or 255. No fixed coupon, margin or bill
 * of Argentina has come near them, and 100 years at the monthly one do not overflow a number.
 */
const yearlyPercentMax = 200;
const monthlyPercentMax = 20;

/** Maximum factor of capitalised interest. A larger one is a percentage that was written instead of a factor. */
const factorMax = 10;

/**
 * Reports dates and amortisations that contradict each other, and rates that no bond has. Called for terms that were
 * read without a fault.
 */
function checkSchedule(terms: RowTerms, row: BondRow): void {
  const { couponDates, issued, maturity, amortisation, interest, factor } = terms;
  if (Number(maturity.slice(0, 4)) - Number(issued.slice(0, 4)) > yearsMax) {
    row.wrong('vencimiento', `is more than ${yearsMax} years after emision (${issued})`, maturity);
    return;
  }
  checkRates(interest, row);
  if (factor > factorMax) {
    row.wrong(
      'factor',
      `is more than ${factorMax}; write 1.27 if 100 nominal owe 127`,
      String(factor),
    );
  }
  if (couponDates.type === 'regular') {
    const { first } = couponDates;
    if (first <= issued || first > maturity) {
      row.wrong(
        'primer_cupon',
        `must be after emision and not after vencimiento (${maturity})`,
        first,
      );
      return;
    }
  }
  if (couponDates.type === 'listed') {
    const [first] = couponDates.dates;
    if (first !== undefined && first <= issued) {
      row.wrong('fechas', 'the first date must be after emision', first);
    }
    const last = couponDates.dates.at(-1);
    if (last !== undefined && last !== maturity) {
      row.wrong('fechas', `the last date must be vencimiento (${maturity})`, last);
      return;
    }
  }
  const dates = couponDatesOf(terms);
  for (const { from, to } of amortisation) {
    for (const date of new Set([from, to])) {
      if (!dates.includes(date))
        row.wrong('amortizacion', 'is not a coupon date of this bond', date);
    }
  }
  const sum = dates.reduce((total, date) => total + amortisationOn(terms, date), 0);
  if (Math.abs(sum - 100) > sumTolerance) {
    row.wrong(
      'amortizacion',
      'the amortisation must sum to 100',
      String(Number(sum.toPrecision(12))),
    );
  }
}

function checkRates(interest: Interest, row: BondRow): void {
  const tooHigh = (column: 'tasa' | 'margen' | 'tem', percent: number): void => {
    const [max, period] =
      column === 'tem' ? [monthlyPercentMax, 'month'] : [yearlyPercentMax, 'year'];
    if (percent <= max) return;
    const reason = `is more than ${max} % a ${period}; use a percentage such as 2.55`;
    row.wrong(column, reason, String(percent));
  };
  switch (interest.type) {
    case 'fixed':
      for (const { percent } of interest.steps) tooHigh('tasa', percent);
      break;
    case 'floating':
      tooHigh('margen', interest.marginPercent);
      break;
    case 'capitalised':
      tooHigh('tem', interest.monthlyPercent);
      break;
    case 'none':
  }
}
