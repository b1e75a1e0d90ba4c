import type { AdjustedSeries } from '../../domain/history/adjust-series.ts';
import type { BarSeries, CloseSeries } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { CsvTable, numberColumn, textColumn, type CsvStyle } from '../texts/csv-text.ts';
import { fieldNames, type CellField, type HistoryField } from '../params/history-view.ts';
import {
  isObjectFormat,
  objectFormats,
  type ObjectFormat,
  type TableFormat,
} from '../params/table-format.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { formatValue } from '../texts/number.ts';

/** A series to show: closes, the columns of the fields that are shown, and which rows are adjusted. */
export type ShownSeries = CloseSeries &
  Partial<BarSeries> &
  Partial<Pick<AdjustedSeries, 'adjustedRows'>>;

/**
 * The format of the body of `/historicos`: the opening, the rows with a separator between each two,
 * and the closing. Every row is rendered independently, so the body of a range contains the same
 * text as the body of the whole series.
 */
export interface HistoryFormat {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  /**
   * One text for each row of a series, in ascending order of date. Each is rendered when it is taken, so that
   * the texts of a long series are not in memory at the same time.
   */
  readonly rows: (instrument: Instrument, series: ShownSeries) => Iterable<string>;
}

/**
 * The closes of one instrument as JSON objects (contract 2.2, 4.2.2 and 2.1.8), with further fields
 * after `ultimo` (contract 4.2.8).
 */
export function historyJson(
  format: ObjectFormat,
  fields: readonly HistoryField[] = [],
  instants?: InstantTexts,
): HistoryFormat {
  const { end, ...around } = objectFormats[format];
  return {
    ...around,
    rows: (instrument, series) => {
      const head = `{"especie":${JSON.stringify(instrument.ticker)},"fecha":"`;
      const shown = { fields, instants };
      return rowsOf(instrument, series, shown, (fecha, ultimo, further, volumen) => {
        const members = fields.length === 0 ? '' : membersOf(fields, further);
        return `${head}${fecha}","ultimo":${ultimo}${members},"volumen":${volumen ?? 'null'}}${end}`;
      });
    },
  };
}

/** The known values as members of an object, each with a comma before it. */
function membersOf(fields: readonly HistoryField[], values: readonly (string | null)[]): string {
  return fields
    .map((field, at) => {
      const value = values[at];
      if (value === null) return '';
      return `,"${fieldNames[field]}":${field === 'instant' ? `"${value}"` : value}`;
    })
    .join('');
}

/** The same as CSV, with a header row (contract 4.5.3 and 4.5.7). */
export function historyCsv(
  style: CsvStyle,
  fields: readonly HistoryField[] = [],
  instants?: InstantTexts,
): HistoryFormat {
  const further = Object.fromEntries(
    fields.map((field) => [fieldNames[field], field === 'instant' ? textColumn : numberColumn]),
  );
  const table = new CsvTable({
    especie: textColumn,
    fecha: textColumn,
    ultimo: numberColumn,
    ...further,
    volumen: numberColumn,
  });
  return {
    opening: table.header(style),
    separator: '',
    closing: '',
    rows: (instrument, series) =>
      rowsOf(instrument, series, { fields, instants }, (fecha, ultimo, values, volumen) =>
        table.line([instrument.ticker, fecha, ultimo, ...values, volumen], style),
      ),
  };
}

/** The closes of one instrument in a format of a table. */
export function historyFormat(
  format: TableFormat,
  fields: readonly HistoryField[] = [],
  instants?: InstantTexts,
): HistoryFormat {
  return isObjectFormat(format)
    ? historyJson(format, fields, instants)
    : historyCsv(format, fields, instants);
}

function* rowsOf(
  instrument: Instrument,
  series: ShownSeries,
  {
    fields,
    instants,
  }: { readonly fields: readonly HistoryField[]; readonly instants: InstantTexts | undefined },
  render: (
    fecha: string,
    ultimo: string,
    further: readonly (string | null)[],
    volumen: string | null,
  ) => string,
): Iterable<string> {
  const { days, closes, volumes } = series;
  const columns = fields.map((field): FurtherColumn => {
    if (field !== 'instant') {
      const column = series[field];
      return (row, format) => formatKnown(column?.[row], format);
    }
    if (instants === undefined) throw new Error('the instant needs the markets of the universe');
    return (row) => instants.ofClose(instrument, days[row] as EpochDay);
  });
  for (const [row, day] of days.entries()) {
    const format = (value: number): string => formatPrice(value, row, { instrument, series });
    yield render(
      fromEpochDay(day as EpochDay),
      format(closes[row] ?? Number.NaN),
      columns.length === 0 ? noFields : columns.map((column) => column(row, format)),
      formatKnown(volumes[row], formatExactNumber),
    );
  }
}

/** An adjusted price is rounded already, and may have more decimals than its instrument. */
function formatPrice(
  price: number,
  row: number,
  { instrument, series }: { readonly instrument: Instrument; readonly series: ShownSeries },
): string {
  const isAdjusted = row < (series.adjustedRows ?? 0);
  return isAdjusted ? formatExactNumber(price) : formatValue(price, instrument);
}

/** The value of one column in a row, as {@link historyJson} shows it. Null where it is not known. */
export function cellText(
  row: number,
  {
    instrument,
    series,
    field,
  }: {
    readonly instrument: Instrument;
    readonly series: ShownSeries;
    readonly field: CellField;
  },
): string | null {
  return formatKnown(series[field]?.[row], (value) =>
    field === 'volumes'
      ? formatExactNumber(value)
      : formatPrice(value, row, { instrument, series }),
  );
}

const noFields: readonly never[] = [];

/** The text of a further field in a row. Null where it is not known. */
type FurtherColumn = (row: number, format: (value: number) => string) => string | null;

function formatKnown(value = Number.NaN, format: (known: number) => string): string | null {
  return Number.isNaN(value) ? null : format(value);
}
