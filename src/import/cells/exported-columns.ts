import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { msPerMinute, type TickerBar } from '../../domain/quotes/minute-bar.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

/** The value of a cell: a date in days since 1970, an instant in milliseconds since 1970. An empty cell is null or undefined. */
export type CellValue = string | number | null | undefined;

/** The type of a column. It decides how its cells are written in CSV and in Parquet. */
export type CellType = 'text' | 'number' | 'date' | 'instant';

/** The columns of an exported table by name, with the value of a row. */
export type ExportedColumns<Row, Name extends string = string> = Readonly<
  Record<Name, { readonly type: CellType; readonly of: (row: Row) => CellValue }>
>;

const text = <Row>(of: (row: Row) => string | undefined) => ({ type: 'text', of }) as const;
const number = <Row>(of: (row: Row) => number | null | undefined) =>
  ({ type: 'number', of }) as const;
const date = <Row>(of: (row: Row) => EpochDay) => ({ type: 'date', of }) as const;
const instant = <Row>(of: (row: Row) => number | undefined) => ({ type: 'instant', of }) as const;

/** A close, and the instrument that it belongs to. */
export interface TickerClose {
  readonly ticker: Ticker;
  readonly close: DailyClose;
}

export const exportedCloses = {
  ticker: text(({ ticker }) => ticker),
  date: date(({ close }) => close.day),
  close: number(({ close }) => close.close),
  open: number(({ close }) => close.open),
  high: number(({ close }) => close.high),
  low: number(({ close }) => close.low),
  volume: number(({ close }) => close.volume),
  source: text(({ close }) => close.source),
} satisfies ExportedColumns<TickerClose>;

/** The bars of minutes, with the instant at which each starts. */
export const exportedBars: ExportedColumns<TickerBar> = {
  ticker: text(({ ticker }) => ticker),
  date: date(({ bar }) => bar.day),
  time: instant(({ bar }) => bar.minute * msPerMinute),
  open: number(({ bar }) => bar.open),
  high: number(({ bar }) => bar.high),
  low: number(({ bar }) => bar.low),
  close: number(({ bar }) => bar.last),
  volume: number(({ bar }) => bar.volume),
};

export const exportedActions = {
  ticker: text(({ ticker }) => ticker),
  date: date(({ exDay }) => exDay),
  type: text(({ type }) => type),
  factor: number((action) => ('factor' in action ? action.factor : undefined)),
  amount: number((action) => ('amount' in action ? action.amount : undefined)),
  currency: text((action) => ('amount' in action ? action.currency : undefined)),
  newTicker: text((action) => ('newTicker' in action ? action.newTicker : undefined)),
  source: text(({ source }) => source),
} satisfies ExportedColumns<CorporateAction>;

export const exportedIndices = {
  indice: text(({ index }) => index),
  fecha: date(({ day }) => day),
  valor: number(({ value }) => value),
  fuente: text(({ source }) => source),
} satisfies ExportedColumns<IndexValue>;

export const exportedTerms = {
  ticker: text(({ ticker }) => ticker),
  series: text(({ series }) => series.join(' ')),
  terms: text(({ values }) => JSON.stringify(values)),
} satisfies ExportedColumns<IssueTerms>;

/** The names of columns, in their order. */
export function namesOf<Name extends string>(
  columns: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  return Object.keys(columns) as Name[];
}

const changes = {
  stored_at: instant(({ stored }: Version<unknown>) => stored.at),
  stored_by: text(({ stored }: Version<unknown>) => stored.origin),
  replaced_at: instant(({ replaced }: Version<unknown>) => replaced?.at),
  replaced_by: text(({ replaced }: Version<unknown>) => replaced?.origin),
};

export type ChangeColumn = keyof typeof changes;

/** The columns of a value, and those of the changes that stored and replaced it. */
export function withChanges<T, Name extends string>(
  columns: ExportedColumns<T, Name>,
): ExportedColumns<Version<T>, Name | ChangeColumn> {
  const ofValue = Object.entries<ExportedColumns<T>[string]>(columns).map(
    ([name, { type, of }]) => [name, { type, of: ({ value }: Version<T>) => of(value) }] as const,
  );
  return { ...Object.fromEntries(ofValue), ...changes } as ExportedColumns<
    Version<T>,
    Name | ChangeColumn
  >;
}

/** A table whose rows are exported in batches, of which one is in memory at a time. */
export interface ExportedTable {
  readonly columns: Readonly<Record<string, { readonly type: CellType }>>;
  readonly batches: AsyncGenerator<readonly (readonly CellValue[])[]>;
}

/** Gives the values of a row, in the order of the columns. */
export function valuesOf<Row>(columns: ExportedColumns<Row>): (row: Row) => readonly CellValue[] {
  const all = Object.values(columns);
  return (row) => all.map(({ of }) => of(row));
}

/** Gives the cells of a row in CSV: numbers with all their digits, dates and instants of ISO 8601. */
export function textsOf(
  columns: ExportedTable['columns'],
): (values: readonly CellValue[]) => readonly string[] {
  const types = Object.values(columns).map(({ type }) => type);
  return (values) => values.map((value, at) => cellText(value, types[at]));
}

function cellText(value: CellValue, type: CellType | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (type === 'date') return fromEpochDay(value as EpochDay);
  return type === 'instant' ? new Date(value).toISOString() : formatExactNumber(value);
}
