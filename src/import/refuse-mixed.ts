import type { EpochDay } from '../domain/plain-date.ts';
import type { BoundSeries } from './binding.ts';
import { cellAt } from './cells/table.ts';
import { parseDate } from './cells/date-format.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { TableHead } from './layouts/layout.ts';
import { parseNumber } from './cells/number-format.ts';
import type { SettledReading } from './recognise.ts';
import { isSamePrice } from '../domain/same-price.ts';

/** Number of repeated days that are accepted as mistakes, whatever their share of the rows. */
const repeatsFreeMax = 2;

/**
 * Share of rows with a different close of an earlier day, from which rows are of several series.
 */
const repeatsMax = 0.1;

/**
 * Refuses rows of several instruments that would all become closes of one instrument, because no
 * known heading names the instrument. Otherwise the first row of each day would be stored.
 *
 * @throws {ImportRefusal} `not-prices`, with advice on how to name the instruments.
 */
export function refuseMixed(
  head: TableHead,
  reading: SettledReading,
  series: readonly BoundSeries[],
): void {
  const [one] = series;
  if (one === undefined || one.nameOf !== undefined || reading.layout === 'wide') return;
  const closes = new Map<EpochDay, number>();
  let count = 0;
  let repeats = 0;
  for (const row of head.rows.slice(reading.skipRows)) {
    const day = parseDate(cellAt(row, reading.date), reading.dateFormat);
    const close = parseNumber(cellAt(row, one.columns.close), reading.decimal);
    if (day === undefined || Number.isNaN(close)) continue;
    count += 1;
    const earlier = closes.get(day);
    if (earlier === undefined) closes.set(day, close);
    else if (!isSamePrice(earlier, close)) repeats += 1;
  }
  if (repeats <= repeatsFreeMax || repeats < count * repeatsMax) return;
  throw new ImportRefusal(
    'not-prices',
    `${repeats} of the first ${count} rows have a different close of a day that an earlier row ` +
      'has, so they are of several instruments or several times of day; if a column names the ' +
      'instruments, give it the heading "ticker"',
  );
}
