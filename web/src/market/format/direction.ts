/** The CSS class for the direction of a change. */
export function wayOf(value: number | null): string {
  return value === null || value === 0 ? '' : value > 0 ? 'up' : 'down';
}
