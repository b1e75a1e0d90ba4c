import { storedValue } from '../ui/stored-value.ts';

/** The prices that the user marked on the chart of each instrument. */
export type Levels = Readonly<Record<string, readonly number[]>>;

/** Maximum number of levels of an instrument. */
export const levelsMax = 10;

/** The levels of all charts. */
export const levels = storedValue<Levels>({
  name: 'pizarra.levels',
  initial: {},
  read: readLevels,
});

/** Checks levels. Returns undefined if they are not valid. */
export function readLevels(value: unknown): Levels | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isValid = Object.values(value).every(
    (one) =>
      Array.isArray(one) && one.length <= levelsMax && one.every((price) => Number.isFinite(price)),
  );
  return isValid ? (value as Levels) : undefined;
}
