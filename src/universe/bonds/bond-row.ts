import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import type { CsvRow, ReportCell } from '../files/csv-table.ts';

/** The columns of `bonds.csv` (docs/bonds.md). */
export const bondColumns = [
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

export type BondColumn = (typeof bondColumns)[number];

const requiredColumns: ReadonlySet<string> = new Set([
  'especie',
  'emision',
  'vencimiento',
  'moneda',
]);

/** A file without bonds that have a certain term need not have its column. */
export const optionalBondColumns: ReadonlySet<BondColumn> = new Set(
  bondColumns.filter((column) => !requiredColumns.has(column)),
);

export type BondRow = CsvRow<BondColumn>;

/** Reports a fault of a cell. */
export type ReportBond = ReportCell<BondColumn>;

/** The terms of a row, but for its tickers. */
export type RowTerms = Omit<BondTerms, 'ticker' | 'series'>;
