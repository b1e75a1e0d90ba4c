import type { CloseSeries } from '../domain/daily-close.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { formatExactNumber, formatNumber } from './number.ts';

/**
 * The body of `/historicos`: the closes of one instrument as a JSON array, in the series' own
 * order, which is ascending.
 *
 * Sources: specification 2.2 and 4.2 rule 2; decisions rows 14 and 23.
 */
export function historyJson(instrument: Instrument, series: CloseSeries): string {
  const head = `{"especie":${JSON.stringify(instrument.ticker)},"fecha":"`;
  const rows = Array.from(series.days, (day, row) => {
    const close = formatNumber(series.closes[row] ?? Number.NaN, instrument.decimals);
    const volume = series.volumes[row] ?? Number.NaN;
    const volumen = Number.isNaN(volume) ? 'null' : formatExactNumber(volume);
    return `${head}${fromEpochDay(day as EpochDay)}","ultimo":${close},"volumen":${volumen}}`;
  });
  return `[${rows.join(',')}]`;
}
