import type { Freshness } from '../market/freshness.ts';
import type { Row } from '../market/live-quotes.ts';

/** The number of rows of a panel by state. Every row is counted once. */
export interface RowCounts {
  readonly up: number;
  readonly same: number;
  readonly down: number;
  /** In the current session, without a previous close. */
  readonly unknown: number;
  /** With a quote of an earlier session of their market. */
  readonly earlier: number;
  /** Without a quote. */
  readonly missing: number;
}

/** Counts rows by the direction of their change. A quote of unknown freshness is counted as current. */
export function countRows(
  rows: readonly Row[],
  freshnessOf: (quote: NonNullable<Row['quote']>) => Freshness,
): RowCounts {
  const counts = { up: 0, same: 0, down: 0, unknown: 0, earlier: 0, missing: 0 };
  for (const { quote } of rows) counts[kindOf(quote, freshnessOf)] += 1;
  return counts;
}

function kindOf(
  quote: Row['quote'],
  freshnessOf: (quote: NonNullable<Row['quote']>) => Freshness,
): keyof RowCounts {
  if (quote === undefined) return 'missing';
  if (freshnessOf(quote) === 'earlier') return 'earlier';
  const { variacion } = quote;
  if (variacion === null) return 'unknown';
  if (variacion === 0) return 'same';
  return variacion > 0 ? 'up' : 'down';
}
