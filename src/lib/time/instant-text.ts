/**
 * An instant, given in epoch milliseconds, in the format of RFC 3339 in UTC:
 * `2026-11-20T20:00:00.000Z`. All texts have the same length, so they align in a table and sort by
 * time.
 */
export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
