import { makeDocument } from '../../contract/document/document.ts';

/** A schema of the contract, with the keywords that it uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string | true;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /**
   * What further properties have. Other generators ignore this keyword, and do not give a row an index
   * signature, which would hide what kind of row it is.
   */
  readonly unevaluatedProperties?: Schema;
  readonly required?: readonly string[];
  readonly 'x-without-client'?: true;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly 'application/json'?: { readonly schema: Schema };
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly parameters?: readonly Parameter[];
          readonly 'x-without-client'?: true;
          /** Of a table, which every format has. */
          readonly 'x-csv'?: object;
          readonly responses: Readonly<Record<200, { readonly content: Content }>>;
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The type of a value. */
export type ValueType =
  | { readonly kind: 'string' | 'number' | 'integer' | 'true' }
  | { readonly kind: 'literals'; readonly values: readonly string[] }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list' | 'nullable'; readonly of: ValueType }
  | { readonly kind: 'union'; readonly of: readonly ValueType[] };

/** A field of a row. An optional field may be absent, a nullable one null. */
export interface Field {
  readonly name: string;
  readonly description: string;
  readonly type: ValueType;
  readonly isDate: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** A named type: an alias of values, or the fields of an object. */
export interface NamedType {
  readonly name: string;
  readonly description: string;
  readonly type?: ValueType;
  readonly fields?: readonly Field[];
  /** The values of an object whose further fields have names that only the response gives. */
  readonly others?: ValueType;
}

/** What is generated from the contract. */
export interface Contract {
  readonly types: readonly NamedType[];
  /** The query parameters of each path that has some. */
  readonly parameters: ReadonlyMap<string, readonly Field[]>;
  /** The rows of each table. */
  readonly tables: ReadonlyMap<string, ValueType>;
}

/** Only the clients' own errors have this body. */
const left = new Set(['Error']);

/**
 * Reads the named types and the parameters of the contract.
 *
 * @throws when the contract uses a keyword in a way that the generators do not know.
 */
export function readContract(): Contract {
  const { components, paths } = makeDocument() as unknown as Document;
  const types = Object.entries(components.schemas)
    .filter(([name, schema]) => !left.has(name) && schema['x-without-client'] !== true)
    .flatMap(([name, schema]) => namedTypes(name, schema));
  const called = Object.entries(paths).filter(([, { get }]) => get['x-without-client'] !== true);
  const parameters = called.map(([path, { get }]) => {
    const query = (get.parameters ?? []).filter(({ in: place }) => place === 'query');
    return [path, query.map(parameterField)] as const;
  });
  const tables = called.flatMap(([path, { get }]) => {
    const rows = get.responses[200].content['application/json']?.schema.items;
    return get['x-csv'] === undefined || rows === undefined ? [] : [[path, typeOf(rows)] as const];
  });
  const isTable = new Set(tables.map(([path]) => path));
  const shown = parameters.filter(([path, fields]) => fields.length > 0 || isTable.has(path));
  return { types, parameters: new Map(shown), tables: new Map(tables) };
}

/** A type, after the types of the objects in it, which are named after the field: `Feriados`. */
function namedTypes(name: string, schema: Schema): readonly NamedType[] {
  const description = wrapped(schema.description);
  const { properties } = schema;
  if (properties === undefined) return [{ name, description, type: typeOf(schema) }];
  const inner = Object.entries(properties).flatMap(([field, { items }]) =>
    items?.properties === undefined ? [] : namedTypes(innerName(field), items),
  );
  const required = new Set(schema.required);
  const fields = Object.entries(properties).map(([field, one]) => ({
    name: field,
    description: wrapped(one.description),
    type: typeOf(one, field),
    isDate: one.format === 'date',
    isOptional: !required.has(field),
    isNullable: isNullable(one),
  }));
  const further = schema.unevaluatedProperties;
  if (further === undefined) return [...inner, { name, description, fields }];
  return [...inner, { name, description, fields, others: valueOf(further) }];
}

/** A description in lines of 100 characters. */
function wrapped(description = ''): string {
  return description.replaceAll(/(?=.{101})(.{1,100}) +/g, '$1\n');
}

function valueOf(schema: Schema): ValueType {
  const type = typeOf(schema);
  return isNullable(schema) ? { kind: 'nullable', of: type } : type;
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function innerName(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1).replace(/s$/, '');
}

function parameterField({ name, required, schema }: Parameter): Field {
  return {
    name,
    description: '',
    type: typeOf(schema),
    isDate: schema.format === 'date',
    isOptional: !required,
    isNullable: false,
  };
}

function typeOf(schema: Schema, field = ''): ValueType {
  if (schema.$ref !== undefined)
    return { kind: 'named', name: schema.$ref.split('/').at(-1) ?? '' };
  if (schema.oneOf !== undefined)
    return { kind: 'union', of: schema.oneOf.map((one) => typeOf(one)) };
  if (schema.enum !== undefined) return { kind: 'literals', values: schema.enum };
  if (schema.const === true) return { kind: 'true' };
  if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
  const types = [schema.type ?? []].flat().filter((one) => one !== 'null');
  if (types.length > 1)
    return { kind: 'union', of: types.map((type) => typeOf({ ...schema, type })) };
  const [type] = types;
  if (type === 'string' || type === 'number' || type === 'integer') return { kind: type };
  if (type === 'object') return { kind: 'named', name: innerName(field) };
  if (type === 'array' && schema.items !== undefined) {
    const of = typeOf(schema.items, field);
    return { kind: 'list', of: isNullable(schema.items) ? { kind: 'nullable', of } : of };
  }
  throw new Error(`the generators do not know this schema: ${JSON.stringify(schema)}`);
}
