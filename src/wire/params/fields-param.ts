import type { Parsed } from '../../domain/values/problem.ts';

/**
 * Parses the values of a `campos` parameter: a comma-separated list of names. Several parameters count
 * as one list, as those of `especie` do. A name may be repeated.
 *
 * @param names the public names of the fields that may be requested, by field.
 * @returns the fields, in the order of the request.
 */
export function parseFields<Field extends string>(
  values: readonly string[],
  names: Readonly<Record<Field, string>>,
): Parsed<readonly Field[]> {
  const byName = new Map(Object.entries<string>(names).map(([field, name]) => [name, field]));
  const fields: Field[] = [];
  for (const name of values.flatMap((list) => list.split(','))) {
    const field = byName.get(name.trim());
    if (field === undefined) {
      const problem = { type: 'field-unknown', value: name, valid: [...byName.keys()] } as const;
      return { ok: false, problem };
    }
    fields.push(field as Field);
  }
  return { ok: true, value: fields };
}
