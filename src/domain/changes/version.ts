/** All origins of changes. */
export const changeOrigins = [
  'import',
  'fetch',
  'session',
  'confirm',
  'revert',
  'remove',
  'universe',
  'demonstration',
  'unknown',
] as const;

/**
 * What changed the store:
 *
 * - `import`: a file of the operator;
 * - `fetch`: a source that was asked for closes, actions or indices;
 * - `session`: a session that the service has recorded;
 * - `confirm`, `revert` and `remove`: a command of the operator;
 * - `universe`: the files of the universe, read at a start or a reload;
 * - `demonstration`: the simulated market;
 * - `unknown`: the terms of bonds that a store records first, because nobody knows since when they are in force; and what
 *   is copied from another store without its changes.
 */
export type ChangeOrigin = (typeof changeOrigins)[number];

/** A change of what is stored: its instant, in epoch milliseconds, and what made it. */
export interface StoreChange {
  readonly at: number;
  readonly origin: ChangeOrigin;
}

/** A value that is or was stored, and the changes that stored and replaced it. */
export interface Version<T> {
  readonly value: T;
  readonly stored: StoreChange;
  /** The change that replaced or removed it. Absent for a value that is stored now. */
  readonly replaced?: StoreChange;
}

/** A version that was replaced or removed. */
export type EndedVersion<T> = Required<Version<T>>;

/**
 * The values that were stored at an instant, in the order of the versions. A change at that instant itself had
 * been made.
 *
 * @param keyOf what distinguishes the values of which one is stored at a time. A clock that was set back may make
 *   two versions of one key overlap. Then the later one of the list is given.
 */
export function valuesAt<T>(
  versions: readonly Version<T>[],
  instant: number,
  keyOf: (value: T) => string | number,
): readonly T[] {
  const found = new Map<string | number, T>();
  for (const { value, stored, replaced } of versions) {
    if (stored.at > instant || (replaced !== undefined && replaced.at <= instant)) continue;
    found.set(keyOf(value), value);
  }
  return [...found.values()];
}
