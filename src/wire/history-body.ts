import type { CloseSeries } from '../domain/daily-close.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { csvLine } from './csv-text.ts';
import { formatExactNumber, formatValue } from './number.ts';

/**
 * How the rows of a series become the body of `/historicos`: any run of rows, with the separator
 * between each two, within what opens and closes the body. So a range of a series is a part of the
 * text of the whole.
 */
export interface HistoryFormat {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  /** One text for each row of a series, in its own order, which is ascending. */
  readonly rows: (instrument: Instrument, series: CloseSeries) => readonly string[];
}

/**
 * The closes of one instrument as a JSON array.
 *
 * Sources: specification 2.2 and 4.2 rule 2; decisions rows 14, 23 and 45.
 */
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

/** The same rows as CSV, with a line of field names. */
export const historyCsv: HistoryFormat = {
  opening: csvLine(['especie', 'fecha', 'ultimo', 'volumen']),
  separator: '',
  closing: '',
  rows: (instrument, series) =>
    rowsOf(instrument, series, (...cells) => csvLine([instrument.ticker, ...cells])),
};

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
