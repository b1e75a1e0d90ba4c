import type { StoreCheck } from '../../operator/store/check-store.ts';
import type { StoreComparison } from '../../operator/store/compare-stores.ts';
import { formatTable } from '../terminal/table.ts';

/** Characters of a digest that are shown. `--json` has all. */
const digestShown = 16;

/** The result of a comparison as lines, without a final line end. */
export function comparisonText(title: string, { tables, differences }: StoreComparison): string {
  const rows = tables.map(({ table, rows: count, digest, different }) => [
    table,
    String(count),
    String(different),
    digest.slice(0, digestShown),
  ]);
  const total = tables.reduce((sum, { different }) => sum + different, 0);
  const verdict = total === 0 ? 'No row differs.' : `${total} rows differ. The first of them:`;
  return [
    title,
    formatTable(['TABLE', 'ROWS', 'DIFFERENT', 'DIGEST'], rows),
    verdict,
    ...differences.map((one) => `  ${one}`),
  ].join('\n');
}

/** The result of a check as lines, without a final line end. */
export function digestText({ name, inspection, tables }: StoreCheck): string {
  const { schema, bytes } = inspection;
  const rows = tables.map(({ table, rows: count, digest }) => [
    table,
    String(count),
    digest.slice(0, digestShown),
  ]);
  const mebibytes = (bytes / 1024 / 1024).toFixed(1);
  const verdict = `${name}: no damage found. Schema ${schema}, ${mebibytes} MiB.`;
  return [verdict, formatTable(['TABLE', 'ROWS', 'DIGEST'], rows)].join('\n');
}
