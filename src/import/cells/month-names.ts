/** The first three letters of each month, in English and in Spanish where they differ. */
const prefixes = [
  ['jan', 'ene'],
  ['feb'],
  ['mar'],
  ['apr', 'abr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['aug', 'ago'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dec', 'dic'],
] as const;

const fullNames = [
  ['january', 'enero'],
  ['february', 'febrero'],
  ['march', 'marzo'],
  ['april', 'abril'],
  ['mayo'],
  ['june', 'junio'],
  ['july', 'julio'],
  ['august', 'agosto'],
  ['september', 'septiembre', 'setiembre', 'sept'],
  ['october', 'octubre'],
  ['november', 'noviembre'],
  ['december', 'diciembre'],
] as const;

const months: ReadonlyMap<string, number> = new Map(
  [prefixes, fullNames].flatMap((table) =>
    table.flatMap((names, at) => names.map((name): [string, number] => [name, at + 1])),
  ),
);

/**
 * The number of a month, from 1, for its English or Spanish name or usual abbreviation in any case:
 * `sep`, `set`, `Sept`, `septiembre`. Undefined for any other word.
 */
export function monthOfName(name: string): number | undefined {
  return months.get(name.toLowerCase());
}
