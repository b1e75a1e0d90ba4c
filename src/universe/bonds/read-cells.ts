import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { AmortisationStep, BondTerms, RateStep } from '../../domain/instruments/bond-terms.ts';
import type { CsvRow, TableColumns } from '../files/csv-table.ts';
import { noDate } from '../files/universe-fault.ts';

const columns = [
  'especie',
  'series',
  'isin',
  'ley',
  'emision',
  'vencimiento',
  'moneda',
  'frecuencia',
  'primer_cupon',
  'fechas',
  'tasa',
  'base',
  'amortizacion',
  'indice',
  'rezago',
  'base_indice',
  'margen',
  'factor',
  'tem',
  'dual',
  'ajuste_fecha',
  'opcion',
  'estado',
  'revisado',
  'fuentes',
] as const;

export type BondColumn = (typeof columns)[number];

const required = new Set<string>(['especie', 'emision', 'vencimiento', 'moneda']);

/** The columns of `bonds.csv` (docs/bonds.md). A file without bonds that have a certain term need not have its column. */
export const bondColumns: TableColumns<BondColumn> = {
  columns,
  optional: new Set(columns.filter((column) => !required.has(column))),
};

export type BondRow = CsvRow<BondColumn>;

/** The terms of a row, but for its tickers. */
export type RowTerms = Omit<BondTerms, 'ticker' | 'series'>;

const decimalShape = /^\d{1,9}(?:\.\d{1,20})?$/;

/** A date. Undefined when the cell is empty or has none. */
export function readDay(row: BondRow, column: BondColumn) {
  return row.read(column, parsePlainDate, noDate);
}

/** A date that every row has. */
export function readRequiredDay(row: BondRow, column: BondColumn) {
  if (row.cells[column] === '') row.wrong(column, 'must not be empty; use YYYY-MM-DD');
  return readDay(row, column);
}

/** A number above zero. Undefined when the cell is empty or has none. */
export function readPositive(row: BondRow, column: BondColumn) {
  const message = 'must be a number above zero, with a decimal point';
  return row.read(column, (text) => decimalOf(text) || undefined, message);
}

/** A number that is not negative. Undefined when the cell is empty or has none. */
export function readPercent(row: BondRow, column: BondColumn) {
  return row.read(column, decimalOf, 'must be a percentage such as 2.55');
}

/** Dates in ascending order, with white space between them. Undefined when the cell is empty. */
export function readDays(row: BondRow, column: BondColumn) {
  const text = row.cells[column];
  if (text === '') return undefined;
  const dates: PlainDate[] = [];
  for (const part of text.split(/\s+/)) {
    const date = parsePlainDate(part);
    if (date === undefined) row.wrong(column, noDate, part);
    else if (dates.some((before) => before >= date)) {
      row.wrong(column, 'the dates must be in ascending order', part);
    } else dates.push(date);
  }
  return dates;
}

/** `FROM=PERCENT;…`: rates by the day from which they apply. Empty without any. */
export function readRates(row: BondRow): readonly RateStep[] {
  const steps: RateStep[] = [];
  for (const part of partsOf(row.cells.tasa)) {
    const [day = '', percentText = '', ...others] = part.split('=').map((one) => one.trim());
    const from = parsePlainDate(day);
    const percent = others.length === 0 ? decimalOf(percentText) : undefined;
    if (from === undefined || percent === undefined) {
      row.wrong('tasa', 'not a valid rate; use FROM=PERCENT, such as 2021-07-09=0.5', part);
    } else if (steps.some((before) => before.from >= from)) {
      row.wrong('tasa', 'the dates of the rates must be in ascending order', part);
    } else steps.push({ from, percent });
  }
  return steps;
}

/** `DATE=PERCENT` and `FROM/TO=PERCENT`, separated by semicolons. Empty without any. */
export function readAmortisation(row: BondRow): readonly AmortisationStep[] {
  return partsOf(row.cells.amortizacion).flatMap((part) => {
    const [range = '', percentText = '', ...others] = part.split('=').map((one) => one.trim());
    const [first = '', last = first, ...more] = range.split('/').map((one) => one.trim());
    const [from, to] = [parsePlainDate(first), parsePlainDate(last)];
    const percent = others.length + more.length === 0 ? fractionOf(percentText) : undefined;
    if (from !== undefined && to !== undefined && percent !== undefined && from <= to) {
      return { from, to, percent };
    }
    const message =
      'not a valid amortisation; use DATE=PERCENT or FROM/TO=PERCENT, such as 2027-07-09/2038-01-09=100/22';
    row.wrong('amortizacion', message, part);
    return [];
  });
}

function partsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(';').map((part) => part.trim());
}

function decimalOf(text: string): number | undefined {
  return decimalShape.test(text) ? Number(text) : undefined;
}

/** A decimal above zero, or a fraction of two decimals such as `100/22`. */
function fractionOf(text: string): number | undefined {
  const [dividend, divisor = 1, ...others] = text.split('/').map(decimalOf);
  if (dividend === undefined || others.length > 0) return undefined;
  const value = dividend / divisor;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
