import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { dayOf } from '../cells/date-format.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { CloseTarget, CloseTargets } from '../closes/close-target.ts';
import { parsePrice } from '../closes/read-close.ts';
import type { SeriesColumns } from '../layouts/layout.ts';
import type { BoundSeries } from '../names/binding.ts';
import type { KnownNames, OtherMeaning } from '../names/naming.ts';
import type { SettledReading } from '../recognition/recognise.ts';
import type { TrialOptions } from '../refusals/tried-advice.ts';

/** The first rows of a table whose reading and instruments are known. */
export interface CheckedTable {
  readonly reading: SettledReading;
  readonly series: readonly BoundSeries[];
  readonly options: TrialOptions;
  readonly universe: KnownNames;
  readonly targets: CloseTargets;
  readonly otherMeaning: OtherMeaning;
}

/**
 * A reason to refuse a table before its rows are imported.
 *
 * @throws {ImportRefusal} with the evidence.
 */
export type Check = (table: CheckedTable) => void;

/** A close in the first rows of a table. */
interface HeadClose {
  readonly row: CellRow;
  readonly columns: SeriesColumns;
  readonly day: EpochDay;
  readonly close: number;
  /** Undefined where the universe does not have the instrument of the row. */
  readonly target: CloseTarget | undefined;
  /** The name of the instrument in the row; empty where the rows have no names. */
  readonly name: string;
}

/** The closes of series in the first rows. Rows that the import would leave out are not among them. */
export function closesIn(
  { reading }: Pick<CheckedTable, 'reading'>,
  ...series: readonly BoundSeries[]
): readonly HeadClose[] {
  return series.flatMap(closesOfTable(reading));
}

/** Each check of a table reads the same closes, so the cells of a series are parsed once for all checks. */
const closesOfTable = rememberedWith((reading: SettledReading) =>
  rememberedWith((one: BoundSeries) => [...parsedCloses(reading, one)]),
);

function* parsedCloses(
  reading: SettledReading,
  { columns, nameOf, targetOf }: BoundSeries,
): Generator<HeadClose, void> {
  const { rows, date, decimal, omit } = reading;
  for (const row of rows) {
    if (columns.when?.(row) === false) continue;
    const day = dayOf(cellAt(row, date), reading);
    const target = targetOf(row);
    const close = parsePrice(cellAt(row, columns.close), decimal, target);
    if (day === undefined || Number.isNaN(close)) continue;
    if (omit?.when(row, fromEpochDay(day)) === true) continue;
    yield { row, columns, day, close, target, name: nameOf?.(row) ?? '' };
  }
}
