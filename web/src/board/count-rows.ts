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

/**
 * Counts rows by the direction of their change.
 *
 * @param isEarlier whether a quote belongs to a session before the current or last one of its
 *   market.
 */
export function countRows(
  rows: readonly Row[],
  isEarlier: (quote: NonNullable<Row['quote']>) => boolean,
): RowCounts {
  const counts = { up: 0, same: 0, down: 0, unknown: 0, earlier: 0, missing: 0 };
  for (const { quote } of rows) counts[kindOf(quote, isEarlier)] += 1;
  return counts;
}

function kindOf(
  quote: Row['quote'],
  isEarlier: (quote: NonNullable<Row['quote']>) => boolean,
): keyof RowCounts {
  if (quote === undefined) return 'missing';
  if (isEarlier(quote)) return 'earlier';
  const { variacion } = quote;
  if (variacion === null) return 'unknown';
  if (variacion === 0) return 'same';
  return variacion > 0 ? 'up' : 'down';
}
