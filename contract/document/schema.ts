/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A part of the document, by its place. */
export function ref(
  name: string,
  of: 'schemas' | 'headers' | 'responses' = 'schemas',
): { readonly $ref: string } {
  return { $ref: `#/components/${of}/${name}` };
}

/** A text: a paragraph, or several. */
export type Prose = string | readonly string[];

export function prose(paragraphs: Prose): string {
  return [paragraphs].flat().join('\n\n');
}

function described(type: string, description: Prose | undefined, more: Schema): Schema {
  const about = description === undefined ? {} : { description: prose(description) };
  return { type, ...more, ...about };
}

/** A schema of texts. The further functions are those of the other types. */
export function text(description?: string, more: Schema = {}): Schema {
  return described('string', description, more);
}

export function number(description: string, more: Schema = {}): Schema {
  return described('number', description, more);
}

export function integer(description: string, more: Schema = {}): Schema {
  return described('integer', description, more);
}

export function list(description: string | undefined, items: Schema, more: Schema = {}): Schema {
  return { ...described('array', description, more), items };
}

export function constant(value: string | number | boolean, description: string): Schema {
  return { const: value, description };
}

export const date = { format: 'date' } as const;
export const instant = { format: 'date-time' } as const;

/** A closed list of values, or of values with their names for people. */
export function choices(
  values: readonly string[] | Readonly<Record<string, string>>,
  description?: Prose,
): Schema {
  return Array.isArray(values)
    ? described('string', description, { enum: values })
    : described('string', description, { enum: Object.keys(values), 'x-enum-names': values });
}

/** An object with these fields and no others. A name that ends in `?` is that of a field that may be absent. */
export function object(
  description: string | undefined,
  fields: Readonly<Record<string, Schema>>,
  more: Schema = {},
): Schema {
  const entries = Object.entries(fields);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
  return {
    ...described('object', description, more),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
  };
}
