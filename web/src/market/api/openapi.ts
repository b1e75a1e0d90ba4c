/** The parts of `openapi.json` that the playground uses. `reference/` reads all of it. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: OpenapiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenapiSchema>>;
    readonly parameters: Readonly<Record<string, OpenapiParameter>>;
  };
}

interface OpenapiOperation {
  /** Of a table: what it answers beside JSON. */
  readonly 'x-csv'?: object;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  /** Whether only other programs request it, by themselves. */
  readonly 'x-without-client'?: true;
  readonly parameters?: readonly (OpenapiParameter | Reference)[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, OpenapiMedia>> }>
  >;
}

interface Reference {
  readonly $ref: string;
}

interface OpenapiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: OpenapiSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface OpenapiMedia {
  readonly schema?: OpenapiSchema;
}

interface OpenapiSchema {
  readonly $ref?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: OpenapiSchema;
  readonly oneOf?: readonly OpenapiSchema[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-enum-names'?: Readonly<Record<string, string>>;
}

/** One parameter of an operation, with the data for a form field. */
export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly format?: string;
  /** Whether it takes several values, separated by commas. */
  readonly isList: boolean;
  /** The allowed values, each with a label. Empty if the contract allows others. */
  readonly choices: readonly Choice[];
  readonly example: string;
}

/** A value of an enumeration. */
export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** An operation that the page can try: one that needs a key, and that people request. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The fields of the rows of the response. Empty if the response is text. */
  readonly fields: readonly string[];
  /** Whether the response is a stream of events, which does not end. */
  readonly isStream: boolean;
  /** Whether the rows of the response are also offered as CSV. */
  readonly isTable: boolean;
}

const json = 'application/json';

/** The operations of a document that the page can try, in the order of the document. */
export function operationsOf(document: OpenapiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const content = get?.responses['200']?.content;
    if (get === undefined || content === undefined) return [];
    if (get.security?.length === 0 || get['x-without-client'] === true) return [];
    const parameters = (get.parameters ?? [])
      .flatMap((one) => ('$ref' in one ? referred(document, one) : one))
      .filter((one) => one.in === 'query');
    return {
      id: get.operationId,
      path,
      summary: get.summary,
      description: get.description ?? '',
      parameters: parameters.map((one) => parameterOf(document, one)),
      fields: fieldsOf(document, content[json]?.schema),
      isStream: 'text/event-stream' in content,
      isTable: 'text/csv' in content,
    };
  });
}

/** The parameter that a reference refers to, or none. */
function referred(document: OpenapiDocument, { $ref }: Reference): readonly OpenapiParameter[] {
  const parameter = document.components.parameters[nameIn($ref)];
  return parameter === undefined ? [] : [parameter];
}

function parameterOf(document: OpenapiDocument, parameter: OpenapiParameter): Parameter {
  const schema = resolve(document, parameter.schema);
  const examples = Object.values(parameter.examples ?? {});
  const example = parameter.example ?? examples[0]?.value;
  return {
    name: parameter.name,
    isRequired: parameter.required ?? false,
    description: parameter.description ?? '',
    ...(schema?.format === undefined ? {} : { format: schema.format }),
    isList: schema?.items !== undefined,
    choices: choicesOf(resolve(document, schema?.items) ?? schema),
    example: exampleText(example),
  };
}

/** An example as it is written in a query: the values of a list are separated by commas. */
function exampleText(example: unknown): string {
  if (Array.isArray(example)) return example.join(',');
  return typeof example === 'string' ? example : '';
}

function choicesOf(schema: OpenapiSchema | undefined): readonly Choice[] {
  const names = schema?.['x-enum-names'] ?? {};
  return (schema?.enum ?? []).map((value) => ({ value, name: names[value] ?? value }));
}

function fieldsOf(document: OpenapiDocument, schema: OpenapiSchema | undefined): readonly string[] {
  const row = resolve(document, resolve(document, schema)?.items);
  const kinds = row?.oneOf?.map((one) => resolve(document, one)) ?? [row];
  return [...new Set(kinds.flatMap((kind) => Object.keys(kind?.properties ?? {})))];
}

function resolve(
  document: OpenapiDocument,
  schema: OpenapiSchema | undefined,
): OpenapiSchema | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[nameIn(schema.$ref)];
}

/** The name of the component that a reference refers to. */
function nameIn($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}
