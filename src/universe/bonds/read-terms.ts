import { termIndexNames, type IndexName } from '../../domain/indices/index-name.ts';
import {
  dayCounts,
  isDayCount,
  type BondTerms,
  type CouponDates,
  type DayCount,
  type Indexation,
  type Interest,
} from '../../domain/instruments/bond-terms.ts';
import { listed } from '../files/universe-fault.ts';
import {
  readAmortisation,
  readDay,
  readDays,
  readPercent,
  readPositive,
  readRates,
  readRequiredDay,
  type BondRow,
  type RowTerms,
} from './read-cells.ts';

const frequencies = ['1', '2', '3', '4', '6', '12'];
const currencies = ['ARS', 'USD'];
const laws = ['AR', 'NY'];

/** Reads the terms of a row. Undefined after a fault, which is reported. */
export function readTerms(row: BondRow): RowTerms | undefined {
  const issued = readRequiredDay(row, 'emision');
  const maturity = readRequiredDay(row, 'vencimiento');
  if (issued !== undefined && maturity !== undefined && issued >= maturity) {
    row.wrong('emision', `must be before vencimiento (${maturity})`, issued);
  }
  const couponDates = readCouponDates(row);
  const amortisation = readAmortisation(row);
  const { interest, indexation } = readInterest(row);
  const terms = {
    ...readIsin(row),
    ...optionalText('law', choiceOf(row, 'ley', ['', ...laws])),
    currency: choiceOf(row, 'moneda', currencies),
    couponDates,
    interest,
    dayCount: readDayCount(row, interest),
    ...(indexation && { indexation }),
    factor: readPositive(row, 'factor') ?? 1,
    isDual: row.cells.dual !== '',
    paysOnSession: choiceOf(row, 'ajuste_fecha', ['', 'siguiente']) !== '',
    ...optionalText('option', row.cells.opcion),
    isVerified: row.cells.estado === 'verificado',
    ...optionalText('state', row.cells.estado),
    ...optionalText('sources', row.cells.fuentes),
  };
  const reviewed = readDay(row, 'revisado');
  if (!row.isSound || issued === undefined || maturity === undefined) return undefined;
  const whole =
    amortisation.length === 0 ? [{ from: maturity, to: maturity, percent: 100 }] : amortisation;
  return { ...terms, issued, maturity, amortisation: whole, ...(reviewed && { reviewed }) };
}

function readCouponDates(row: BondRow): CouponDates {
  const { frecuencia, primer_cupon, fechas } = row.cells;
  const dates = readDays(row, 'fechas');
  if (dates !== undefined) {
    for (const column of ['frecuencia', 'primer_cupon'] as const) {
      if (row.cells[column] !== '') {
        row.wrong(column, 'fechas has all coupon dates; leave this cell empty');
      }
    }
    return { type: 'listed', dates };
  }
  const first = readDay(row, 'primer_cupon');
  if (frecuencia === '' && primer_cupon === '' && fechas === '') return { type: 'at-maturity' };
  if (!frequencies.includes(frecuencia)) {
    const reason = 'must be the number of months between two coupons:';
    row.wrong('frecuencia', `${reason} ${listed(frequencies)}`);
  }
  if (primer_cupon === '') {
    row.wrong('primer_cupon', 'must be the date of the first coupon, because frecuencia is set');
  }
  if (first === undefined) return { type: 'at-maturity' };
  return { type: 'regular', months: Number(frecuencia), first };
}

function readInterest(row: BondRow) {
  const { tasa, tem, margen, dual, frecuencia, fechas } = row.cells;
  const steps = readRates(row);
  const monthlyPercent = readPercent(row, 'tem');
  const marginPercent = readPercent(row, 'margen');
  const { indexation, rate } = readIndexation(row);
  if (dual !== '' && (dual !== 'max' || tem === '')) {
    row.wrong('dual', 'must be "max" and have the monthly rate of its fixed leg in tem, or empty');
  }
  const rules = [tasa, tem, margen].filter((cell) => cell !== '');
  if (rules.length > 1) {
    const [column, text] = tem === '' ? (['margen', margen] as const) : (['tem', tem] as const);
    row.wrong(column, 'only one of tasa, tem and margen can set the interest', text);
  }
  if (tem !== '' && (frecuencia !== '' || fechas !== '')) {
    row.wrong(
      'tem',
      'a bond with a monthly rate pays once, at maturity; leave its coupon dates empty',
    );
  }
  if (rules.length === 0 && rate === undefined && (frecuencia !== '' || fechas !== '')) {
    row.wrong('tasa', 'a bond with coupon dates needs tasa or margen');
  }
  const interest = ((): Interest => {
    if (monthlyPercent !== undefined) return { type: 'capitalised', monthlyPercent };
    if (rate !== undefined) {
      return { type: 'floating', index: rate, marginPercent: marginPercent ?? 0 };
    }
    return steps.length > 0 ? { type: 'fixed', steps } : { type: 'none' };
  })();
  return { interest, indexation };
}

function readDayCount(row: BondRow, interest: Interest): DayCount {
  const text = row.cells.base;
  // A monthly rate is counted in months of 30 days, and a bond without interest counts nothing.
  const isNeeded = interest.type === 'fixed' || interest.type === 'floating';
  if (isDayCount(text)) return text;
  if (text !== '' || isNeeded) {
    row.wrong('base', `unknown day count; the day counts are ${listed(dayCounts)}`, text);
  }
  return '30/360';
}

function choiceOf(
  row: BondRow,
  column: 'ley' | 'moneda' | 'ajuste_fecha',
  choices: readonly string[],
): string {
  const text = row.cells[column];
  if (choices.includes(text)) return text;
  const named = listed(choices.filter((choice) => choice !== ''));
  const isOptional = choices.includes('');
  row.wrong(column, `must be one of ${named}${isOptional ? ', or empty' : ''}`, text);
  return text;
}

function optionalText<const Name extends 'law' | 'option' | 'state' | 'sources'>(
  name: Name,
  text: string,
) {
  return (text === '' ? {} : { [name]: text }) as { readonly [Key in Name]?: string };
}

const lagShape = /^\d{1,2}$/;

/** What the index of a row does: it multiplies all flows, or it is the rate of the coupons. */
interface ReadIndex {
  readonly indexation?: Indexation;
  readonly rate?: IndexName;
}

/** Reads the index of a row with its lag and its value at the issue, which a level needs. */
function readIndexation(row: BondRow): ReadIndex {
  const { indice, rezago, base_indice, margen, tem } = row.cells;
  const base = readPositive(row, 'base_indice');
  if (indice === '') {
    for (const column of ['rezago', 'base_indice', 'margen'] as const) {
      if (row.cells[column] !== '') {
        row.wrong(column, 'only a bond with an index has this cell; leave it empty');
      }
    }
    return {};
  }
  const index = termIndexNames.find((one) => one === indice);
  if (index === undefined) {
    row.wrong('indice', `unknown index; the indices are ${listed(termIndexNames)}`);
    return {};
  }
  if (!lagShape.test(rezago)) {
    row.wrong('rezago', `${indice} needs its lag, a number of business days such as 10`);
  }
  if (isLevel(index)) {
    if (base_indice === '') {
      row.wrong('base_indice', `${indice} needs its value at the issue, such as 480.1526`);
    }
    if (margen !== '') row.wrong('margen', `${indice} is not a rate; leave the cell empty`);
    return { indexation: { index, lagDays: Number(rezago), base: base ?? 1 } };
  }
  if (base_indice !== '') {
    row.wrong('base_indice', `${indice} is a rate; leave the cell empty`);
  }
  if (tem !== '') return {};
  if (margen === '') {
    row.wrong('margen', `a coupon of ${indice} needs its margin, 0 if it has none`);
  }
  return { rate: index };
}

/** Whether an index is a level, by whose growth flows are multiplied. The others are interest rates. */
function isLevel(index: IndexName): boolean {
  return index === 'CER' || index === 'UVA' || index === 'A3500';
}

const isinShape = /^[A-Z]{2}[A-Z\d]{9}\d$/;

/** Reads an ISIN. The cell may be empty. */
function readIsin(row: BondRow): Pick<BondTerms, 'isin'> {
  const { isin } = row.cells;
  if (isin === '') return {};
  if (!isinShape.test(isin)) row.wrong('isin', 'not a valid ISIN; it has 12 characters');
  else if (!hasCheckDigit(isin)) {
    row.wrong(
      'isin',
      'not a valid ISIN: the last digit does not check the others; look for a slip',
    );
  }
  return { isin };
}

/** Whether the last digit is that of ISO 6166: letters count as 10 to 35, then Luhn's sum is a multiple of 10. */
function hasCheckDigit(isin: string): boolean {
  const digits = Array.from(isin, (character) => Number.parseInt(character, 36)).join('');
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (weighted > 9 ? weighted - 9 : weighted);
    }, 0);
  return sum % 10 === 0;
}
