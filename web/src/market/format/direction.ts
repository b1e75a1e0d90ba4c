import type { ChangeUnit } from './numbers.ts';

/**
 * The CSS class for the direction of a change. A change in points has none: the rise of a rate, of country risk or of a
 * gap is good for one reader and bad for another.
 */
export function wayOf(value: number | null, unit?: ChangeUnit): string {
  return value === null || value === 0 || unit === 'points' ? '' : value > 0 ? 'up' : 'down';
}
