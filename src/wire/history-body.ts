import type { CloseSeries } from '../domain/daily-close.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { CsvTable, numberColumn, textColumn } from './csv-text.ts';
import type { CsvStyle } from './csv-text.ts';
import { formatExactNumber, formatValue } from './number.ts';

/**
 * The format of the body of `/historicos`: the opening, the rows with a separator between each two,
 * and the closing. Every row is rendered independently, so the body of a range contains the same
 * text as the body of the whole series.
 */
export interface HistoryFormat {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  /** One text for each row of a series, in ascending order of date. */
  readonly rows: (instrument: Instrument, series: CloseSeries) => readonly string[];
}

/** The closes of one instrument as a JSON array (contract 2.2, 4.2.2 and 2.1.8). */
export const historyJson: HistoryFormat = {
  opening: '[',
  separator: ',',
  closing: ']',
  rows: (instrument, series) => {
    const head = `{"especie":${JSON.stringify(instrument.ticker)},"fecha":"`;
    return rowsOf(instrument, series, (fecha, ultimo, volumen) => {
      return `${head}${fecha}","ultimo":${ultimo},"volumen":${volumen ?? 'null'}}`;
    });
  },
};

/** The fields of a close in the order of contract 2.2. */
const table = new CsvTable({
  especie: textColumn,
  fecha: textColumn,
  ultimo: numberColumn,
  volumen: numberColumn,
});

/** The closes of one instrument as CSV, with a header row (contract 4.5.3). */
export function historyCsv(style: CsvStyle): HistoryFormat {
  return {
    opening: table.header(style),
    separator: '',
    closing: '',
    rows: (instrument, series) =>
      rowsOf(instrument, series, (...cells) => table.line([instrument.ticker, ...cells], style)),
  };
}

function rowsOf(
  instrument: Instrument,
  { days, closes, volumes }: CloseSeries,
  render: (fecha: string, ultimo: string, volumen: string | null) => string,
): readonly string[] {
  return Array.from(days, (day, row) => {
    const volume = volumes[row] ?? Number.NaN;
    return render(
      fromEpochDay(day as EpochDay),
      formatValue(closes[row] ?? Number.NaN, instrument),
      Number.isNaN(volume) ? null : formatExactNumber(volume),
    );
  });
}
