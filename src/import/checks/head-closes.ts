import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { BoundSeries } from '../names/binding.ts';
import { dayOf } from '../cells/date-format.ts';
import { cellAt, type Row } from '../cells/table.ts';
import type { CloseTarget } from '../closes/close-target.ts';
import type { TableHead } from '../layouts/layout.ts';
import { parsePrice } from '../closes/read-close.ts';
import type { SettledReading } from '../recognition/recognise.ts';

/** A close in the first rows of a table. */
interface HeadClose {
  readonly row: Row;
  readonly day: EpochDay;
  readonly close: number;
  /** Undefined where the universe does not have the instrument of the row. */
  readonly target: CloseTarget | undefined;
  /** The name of the instrument in the row; empty where the rows have no names. */
  readonly name: string;
}

/** The closes of a series in the first rows. Rows that the import would leave out are not among them. */
export function* closesInHead(
  head: TableHead,
  reading: SettledReading,
  { columns, nameOf, targetOf }: BoundSeries,
): Generator<HeadClose, void> {
  const { skipRows, date, decimal, omit } = reading;
  for (const row of head.rows.slice(skipRows)) {
    if (columns.when?.(row) === false) continue;
    const day = dayOf(cellAt(row, date), reading);
    const target = targetOf(row);
    const close = parsePrice(cellAt(row, columns.close), decimal, target);
    if (day === undefined || Number.isNaN(close)) continue;
    if (omit?.when(row, fromEpochDay(day)) === true) continue;
    yield { row, day, close, target, name: nameOf?.(row) ?? '' };
  }
}
