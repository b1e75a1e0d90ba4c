/** A field of each row. Of several fields, the texts of their values with a space between. */
export function fieldsIn<Row extends object, Name extends keyof Row>(
  rows: Iterable<Row>,
  name: Name,
): readonly Row[Name][];
export function fieldsIn<Row extends object>(
  rows: Iterable<Row>,
  ...names: readonly (keyof Row)[]
): readonly string[];
export function fieldsIn<Row extends object>(
  rows: Iterable<Row>,
  ...names: readonly (keyof Row)[]
): readonly unknown[] {
  const [only] = names;
  return Array.from(rows, (row) =>
    names.length === 1 && only !== undefined
      ? row[only]
      : names.map((name) => String(row[name])).join(' '),
  );
}
