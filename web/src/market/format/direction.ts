import type { ChangeUnit } from './numbers.ts';

/**
 * The CSS classes for the direction of a change. A change in points has an arrow and no colour: the rise of a rate, of
 * country risk or of a gap is good for one reader and bad for another.
 */
export function wayOf(value: number | null, unit?: ChangeUnit): string {
  if (value === null || value === 0) return '';
  const way = value > 0 ? 'up' : 'down';
  return unit === 'points' ? `${way} is-plain` : way;
}
