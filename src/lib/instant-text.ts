/** An instant, in epoch milliseconds, as RFC 3339 has it in UTC: `2026-11-20T20:00:00Z`. */
export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('.000Z', 'Z');
}
