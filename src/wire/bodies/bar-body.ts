import type { Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { CsvTable, joinLines, numberColumn, textColumn, type CsvStyle } from '../texts/csv-text.ts';
import { instantName, type InstantTexts } from '../texts/instant-texts.ts';
import { formatNumber, formatValue } from '../texts/number.ts';
import { isObjectFormat, objectFormats, type TableFormat } from '../params/table-format.ts';

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

/**
 * A bar as JSON: the fields of contract 2.9, in its order.
 *
 * @param instants given if the client requested the instant (contract 4.9.6).
 */
export function barJson(instrument: Instrument, bar: Bar, instants?: InstantTexts): string {
  const [ticker, fecha, hora, apertura, maximo, minimo, ultimo, volumen] = cellsOf(instrument, bar);
  return (
    `{"especie":${JSON.stringify(ticker)},"fecha":"${fecha}","hora":"${hora}","apertura":${apertura}` +
    `,"maximo":${maximo},"minimo":${minimo},"ultimo":${ultimo},"volumen":${volumen ?? 'null'}` +
    (instants === undefined ? '}' : `,"${instantName}":"${instantOf(instrument, bar, instants)}"}`)
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

/** The column of the instant, after the others. */
const instantTable = new CsvTable({ [instantName]: textColumn });

/**
 * The bars of one instrument in a format of a table.
 *
 * @param instants given if the client requested the instant.
 */
export function barFormat(format: TableFormat, instants?: InstantTexts): BarFormat {
  if (!isObjectFormat(format)) return csvFormat(format, instants);
  const { end, ...around } = objectFormats[format];
  return { ...around, row: (instrument, bar) => barJson(instrument, bar, instants) + end };
}

function csvFormat(style: CsvStyle, instants: InstantTexts | undefined): BarFormat {
  const added = instants === undefined ? undefined : instantTable.header(style);
  return {
    opening: joinLines(table.header(style), added, style),
    separator: '',
    closing: '',
    row: (instrument, bar) => {
      const line = table.line(cellsOf(instrument, bar), style);
      if (instants === undefined) return line;
      const cell = instantTable.line([instantOf(instrument, bar, instants)], style);
      return joinLines(line, cell, style);
    },
  };
}

/** The instant at which a bar starts. */
function instantOf(instrument: Instrument, { minute }: Bar, instants: InstantTexts): string {
  return instants.at(instrument, minute * msPerMinute);
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
