import type { BoundSeries } from '../names/binding.ts';
import { cellAt } from '../cells/table.ts';
import type { CloseTarget } from '../closes/close-target.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { TableHead } from '../layouts/layout.ts';
import { parseNumber } from '../cells/number-format.ts';
import type { SettledReading } from '../recognition/recognise.ts';

/**
 * Share of negative values from which a column does not contain prices. About half of all daily
 * returns are negative. A price is negative only by mistake, which is rare.
 */
const negativesMax = 0.2;

/**
 * Number of negative values that are accepted as mistakes, whatever their share of a short table.
 */
const negativesFreeMax = 1;

const returns =
  /(?:^|[^a-z])(?:returns?|retornos?|rendimientos?|variacion(?:es)?|variation|change|pct|chg)(?:$|[^a-z])/;

/**
 * Refuses a table of returns or changes for an instrument that has prices. Otherwise its positive
 * values would be stored as prices.
 *
 * @throws {ImportRefusal} `not-prices`, with the evidence.
 */
export function refuseReturns(
  head: TableHead,
  reading: SettledReading,
  series: readonly BoundSeries[],
): void {
  for (const one of series) {
    const heading = cellAt(reading.header, one.columns.close);
    for (const [{ instrument, isPrice }, { values, negatives }] of countsOf(head, reading, one)) {
      if (!isPrice) continue;
      const { ticker } = instrument;
      // A heading that is the instrument's own ticker indicates no returns: CHANGE may be a ticker.
      const isName = foldHeading(heading).toUpperCase() === ticker;
      if (!isName && returns.test(foldHeading(heading).replaceAll('_', ' '))) {
        const message = `the column "${heading}" contains returns or changes, not prices of ${ticker}`;
        throw new ImportRefusal('not-prices', message);
      }
      if (negatives > negativesFreeMax && negatives >= values * negativesMax) {
        const where = heading === '' ? '' : ` in the column "${heading}"`;
        const message = `${negatives} of the first ${values} values of ${ticker}${where} are negative`;
        throw new ImportRefusal(
          'not-prices',
          `${message}, so these are returns or changes, not prices`,
        );
      }
    }
  }
}

interface Counts {
  values: number;
  negatives: number;
}

/**
 * The number of values and of negative values in the first rows, for each instrument of a series.
 */
function countsOf(
  head: TableHead,
  { skipRows, decimal }: SettledReading,
  { columns, targetOf }: BoundSeries,
): ReadonlyMap<CloseTarget, Readonly<Counts>> {
  const byTarget = new Map<CloseTarget, Counts>();
  for (const row of head.rows.slice(skipRows)) {
    const value = parseNumber(cellAt(row, columns.close), decimal);
    const target = targetOf(row);
    if (Number.isNaN(value) || target === undefined) continue;
    const counts = byTarget.get(target) ?? { values: 0, negatives: 0 };
    counts.values += 1;
    if (value < 0) counts.negatives += 1;
    byTarget.set(target, counts);
  }
  return byTarget;
}
