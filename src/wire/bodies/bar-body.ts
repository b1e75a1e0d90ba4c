import type { Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { CsvTable, numberColumn, textColumn } from '../texts/csv-text.ts';
import type { CsvStyle } from '../texts/csv-text.ts';
import { formatNumber, formatValue } from '../texts/number.ts';
import type { TableFormat } from '../params/table-format.ts';

/** Maximum number of decimals of the volume of a bar. The difference of two volumes may have more digits. */
export const volumeDecimals = 8;

/**
 * The format of the body of `/intradiarios`: the opening, the rows with a separator between each two,
 * and the closing. Every row is rendered independently, so rows of finished bars can be cached.
 */
export interface BarFormat {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  readonly row: (instrument: Instrument, bar: Bar) => string;
}

/** A bar as JSON: the fields of contract 2.9, in its order. */
export function barJson(instrument: Instrument, bar: Bar): string {
  const [ticker, fecha, hora, apertura, maximo, minimo, ultimo, volumen] = cellsOf(instrument, bar);
  return (
    `{"especie":${JSON.stringify(ticker)},"fecha":"${fecha}","hora":"${hora}","apertura":${apertura}` +
    `,"maximo":${maximo},"minimo":${minimo},"ultimo":${ultimo},"volumen":${volumen ?? 'null'}}`
  );
}

const table = new CsvTable({
  especie: textColumn,
  fecha: textColumn,
  hora: textColumn,
  apertura: numberColumn,
  maximo: numberColumn,
  minimo: numberColumn,
  ultimo: numberColumn,
  volumen: numberColumn,
});

/** The bars of one instrument in each format of a table. */
export const barFormats: Readonly<Record<TableFormat, BarFormat>> = {
  json: { opening: '[', separator: ',', closing: ']', row: barJson },
  csv: csvFormat('csv'),
  'csv-comma': csvFormat('csv-comma'),
};

function csvFormat(style: CsvStyle): BarFormat {
  return {
    opening: table.header(style),
    separator: '',
    closing: '',
    row: (instrument, bar) => table.line(cellsOf(instrument, bar), style),
  };
}

type Cells = readonly [string, string, string, string, string, string, string, string | null];

function cellsOf(instrument: Instrument, bar: Bar): Cells {
  const { day, minute, open, high, low, last, volume } = bar;
  return [
    instrument.ticker,
    fromEpochDay(day),
    buenosAiresTime(minute * msPerMinute),
    formatValue(open, instrument),
    formatValue(high, instrument),
    formatValue(low, instrument),
    formatValue(last, instrument),
    volume === null ? null : formatNumber(volume, volumeDecimals),
  ];
}
