/**
 * An instant, in epoch milliseconds, as RFC 3339 has it in UTC: `2026-11-20T20:00:00.000Z`. All texts are
 * equally long, so that they line up in a table and sort by time.
 */
export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
