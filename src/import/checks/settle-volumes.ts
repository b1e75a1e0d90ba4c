import type { BoundSeries } from '../names/binding.ts';
import { parseVolume, type Decimal } from '../cells/number-format.ts';
import { cellAt } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { SettledReading } from '../recognition/recognise.ts';

/**
 * The decimal sign of each column of volumes whose sign is not that of the prices. Some sources write
 * prices with a decimal point, and volumes with points between thousands: `10.5` and `1.234.567`.
 *
 * @throws {ImportRefusal} `ambiguous` when the volumes of a column need both signs, or when they may be
 *   thousands or fractions.
 */
export function settleVolumes(
  head: TableHead,
  reading: SettledReading,
  series: readonly BoundSeries[],
  requested: Decimal | undefined,
): ReadonlyMap<number, Decimal> {
  const signs = new Map<number, Decimal>();
  for (const { columns, nameOf, targetOf } of series) {
    const { volume } = columns;
    const hasVolume = nameOf !== undefined || targetOf([])?.hasVolume === true;
    if (volume === undefined || !hasVolume || signs.has(volume)) continue;
    signs.set(volume, settleColumn(head, reading, volume, requested));
  }
  return signs;
}

function settleColumn(
  head: TableHead,
  { skipRows, decimal, usualDecimal }: SettledReading,
  column: number,
  requested: Decimal | undefined,
): Decimal {
  const first: { '.'?: string; ','?: string; unclear?: string } = {};
  for (const row of head.rows.slice(skipRows)) {
    const cell = cellAt(row, column).trim();
    const [point, comma] = [parseVolume(cell, '.'), parseVolume(cell, ',')];
    if (point === comma || (Number.isNaN(point) && Number.isNaN(comma))) continue;
    if (Number.isNaN(comma)) first['.'] ??= cell;
    else if (Number.isNaN(point)) first[','] ??= cell;
    else first.unclear ??= cell;
  }
  const { '.': point, ',': comma, unclear } = first;
  if (point !== undefined && comma !== undefined) {
    throw new ImportRefusal(
      'ambiguous',
      `the volumes "${point}" and "${comma}" have different decimal signs; write them in one way`,
    );
  }
  if (point !== undefined) return '.';
  if (comma !== undefined) return ',';
  const settled = requested ?? usualDecimal;
  if (unclear === undefined || settled !== undefined) return settled ?? decimal;
  const asWritten = parseVolume(unclear, decimal);
  // Thousands in the way of the prices: `1,234` beside `10.5`.
  if (Number.isInteger(asWritten)) return decimal;
  const asThousands = parseVolume(unclear, decimal === '.' ? ',' : '.');
  throw new ImportRefusal(
    'ambiguous',
    `the volume "${unclear}" may be ${asWritten} or ${asThousands}, and no other volume decides`,
    { advice: { kind: 'confirm-volume', suggestions: [{ decimal }] } },
  );
}
