import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { JoinedHistory } from '../params/history-params.ts';
import type { CellField } from '../params/history-view.ts';
import {
  isObjectFormat,
  objectFormats,
  type ObjectFormat,
  type TableFormat,
} from '../params/table-format.ts';
import { CsvTable, numberColumn, textColumn, type CsvStyle } from '../texts/csv-text.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { cellText, historyFormat, type HistoryFormat, type ShownSeries } from './history-body.ts';

/**
 * A table of the series of several instruments (contract 4.2.10 to 4.2.13), to which they are added one
 * after the other.
 */
export interface JoinedTable {
  /** Adds the rows of an instrument. */
  add(instrument: Instrument, series: ShownSeries): void;
  /** The number that is limited: rows, or dates multiplied by instruments. */
  readonly size: number;
  /** The body in parts, none of which takes more than some milliseconds to render. */
  parts(): Iterable<string>;
}

/**
 * Creates the table that a request asks for, without rows.
 *
 * @param instruments all that will be added, in order
 */
export function joinedTable(
  { form, fields, cell }: Pick<JoinedHistory, 'form' | 'fields' | 'cell'>,
  {
    format,
    instruments,
    instants,
  }: {
    readonly format: TableFormat;
    readonly instruments: readonly Instrument[];
    /** Renders the instants of the closes, where the fields have them. */
    readonly instants?: InstantTexts | undefined;
  },
): JoinedTable {
  if (form === 'wide') return new WideTable({ format, instruments, cell });
  return new LongTable(historyFormat(format, fields, instants));
}

/** The rows of each instrument after those of the one before (contract 4.2.11). */
class LongTable implements JoinedTable {
  readonly #format: HistoryFormat;
  #size = 0;
  /** The rows of each instrument that has some. */
  readonly #texts: string[] = [];

  constructor(format: HistoryFormat) {
    this.#format = format;
  }

  get size(): number {
    return this.#size;
  }

  add(instrument: Instrument, series: ShownSeries): void {
    this.#size += series.days.length;
    if (series.days.length === 0) return;
    this.#texts.push([...this.#format.rows(instrument, series)].join(this.#format.separator));
  }

  *parts(): Iterable<string> {
    const { opening, separator, closing } = this.#format;
    yield opening;
    for (const [at, text] of this.#texts.entries()) yield at === 0 ? text : separator + text;
    yield closing;
  }
}

/** Number of cells of a wide table in one part: about a millisecond. */
const cellsPerPart = 5_000;

/** A row for each date on which an instrument has a value, with a cell for each instrument (contract 4.2.12). */
class WideTable implements JoinedTable {
  readonly #format: WideFormat;
  readonly #width: number;
  readonly #field: CellField;
  readonly #days = new Set<number>();
  readonly #columns: Column[] = [];

  constructor(options: {
    readonly format: TableFormat;
    readonly instruments: readonly Instrument[];
    readonly cell: CellField;
  }) {
    const { format, instruments } = options;
    this.#format = isObjectFormat(format)
      ? wideJson(instruments, format)
      : wideCsv(instruments, format);
    this.#width = instruments.length;
    this.#field = options.cell;
  }

  get size(): number {
    return this.#days.size * this.#width;
  }

  add(instrument: Instrument, series: ShownSeries): void {
    const values = series[this.#field] ?? [];
    for (const [row, day] of series.days.entries()) {
      if (!Number.isNaN(values[row])) this.#days.add(day);
    }
    this.#columns.push(new Column(instrument, series, this.#field));
  }

  *parts(): Iterable<string> {
    const { opening, separator, closing, row } = this.#format;
    yield opening;
    const rowsPerPart = Math.max(1, Math.floor(cellsPerPart / Math.max(1, this.#width)));
    let rows: string[] = [];
    let before = '';
    for (const day of Int32Array.from(this.#days).toSorted()) {
      const cells = this.#columns.map((column) => column.next(day));
      rows.push(row(fromEpochDay(day as EpochDay), cells));
      if (rows.length < rowsPerPart) continue;
      yield before + rows.join(separator);
      rows = [];
      before = separator;
    }
    if (rows.length > 0) yield before + rows.join(separator);
    yield closing;
  }
}

/** The cells of one instrument, read in ascending order of day. */
class Column {
  readonly #instrument: Instrument;
  readonly #series: ShownSeries;
  readonly #field: CellField;
  #row = 0;

  constructor(instrument: Instrument, series: ShownSeries, field: CellField) {
    this.#instrument = instrument;
    this.#series = series;
    this.#field = field;
  }

  /** The cell of a day. Days before it cannot be read any more. */
  next(day: number): string | null {
    const { days } = this.#series;
    while ((days[this.#row] ?? Infinity) < day) this.#row += 1;
    if (days[this.#row] !== day) return null;
    const [instrument, series, field] = [this.#instrument, this.#series, this.#field];
    return cellText(this.#row, { instrument, series, field });
  }
}

interface WideFormat {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  readonly row: (fecha: string, cells: readonly (string | null)[]) => string;
}

function wideJson(instruments: readonly Instrument[], format: ObjectFormat): WideFormat {
  const { end, ...around } = objectFormats[format];
  const heads = instruments.map(({ ticker }) => `,${JSON.stringify(ticker)}:`);
  return {
    ...around,
    row: (fecha, cells) =>
      `{"fecha":"${fecha}"${cells.map((cell, at) => heads[at] + (cell ?? 'null')).join('')}}${end}`,
  };
}

function wideCsv(instruments: readonly Instrument[], style: CsvStyle): WideFormat {
  const table = new CsvTable(
    new Map([
      ['fecha', textColumn],
      ...instruments.map(({ ticker }) => [ticker, numberColumn] as const),
    ]),
  );
  return {
    opening: table.header(style),
    separator: '',
    closing: '',
    row: (fecha, cells) => table.line([fecha, ...cells], style),
  };
}
