/** `openapi.json` as the page reads it. Every part has the shape that OpenAPI 3.1 gives it. */
export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: OperationPart }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaPart>>;
    readonly responses: Readonly<Record<string, ResponsePart>>;
    readonly headers: Readonly<Record<string, HeaderPart>>;
    readonly parameters?: Readonly<Record<string, ParameterPart>>;
  };
}

interface OperationPart {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (ParameterPart | ReferencePart)[];
  readonly responses: Readonly<Record<string, ResponsePart | ReferencePart>>;
  /** Whether only other programs request it, by themselves. */
  readonly 'x-without-client'?: true;
  /** Of a table: what it answers beside JSON. */
  readonly 'x-csv'?: object;
}

interface ReferencePart {
  readonly $ref: string;
}

interface ExamplesPart {
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value: unknown }>
  >;
}

interface ParameterPart extends ExamplesPart {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaPart;
}

interface ResponsePart {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderPart | ReferencePart>>;
  readonly content?: Readonly<Record<string, MediaPart>>;
}

export interface MediaPart extends ExamplesPart {
  readonly schema?: SchemaPart;
}

interface HeaderPart extends ExamplesPart {
  readonly description?: string;
  readonly schema?: SchemaPart;
}

export interface SchemaPart {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: SchemaPart;
  readonly oneOf?: readonly SchemaPart[];
  readonly anyOf?: readonly SchemaPart[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly 'x-enum-names'?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

/** An operation with its place in the page. */
export interface OperationEntry {
  readonly anchor: string;
  readonly path: string;
  readonly operation: OperationPart;
  readonly parameters: readonly ParameterEntry[];
  readonly responses: readonly ResponseEntry[];
  /** Whether the page can try it: it needs a key, and people request it. */
  readonly isTried: boolean;
  /** The fields of the rows of the response. Empty if the response is text. */
  readonly fields: readonly string[];
  /** Whether the response is a stream of events, which does not end. */
  readonly isStream: boolean;
  /** Whether the rows of the response are also offered as CSV. */
  readonly isTable: boolean;
}

/** A parameter of an operation, with the data for a form field. */
export interface ParameterEntry {
  readonly anchor: string;
  readonly parameter: ParameterPart;
  readonly format?: string;
  /** Whether it takes several values, separated by commas. */
  readonly isList: boolean;
  /** The allowed values, each with a label. Empty if the contract allows others. */
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  /** An example as it is written in a query. */
  readonly example: string;
}

/** The response to an operation with one status. */
export interface ResponseEntry {
  readonly status: string;
  /** The anchor of a response that several operations share. */
  readonly sharedAnchor?: string;
  readonly response: ResponsePart;
}

/** A field of a schema. A field of an object within another one has a name such as `mercados[].codigo`. */
interface FieldEntry {
  readonly anchor: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: SchemaPart;
}

/** The contract, arranged as the page shows it. */
export interface Reference {
  readonly groups: readonly {
    readonly name: string;
    readonly description: string;
    readonly operations: readonly OperationEntry[];
  }[];
  readonly schemas: readonly {
    readonly anchor: string;
    readonly name: string;
    readonly schema: SchemaPart;
    readonly fields: readonly FieldEntry[];
  }[];
  readonly headers: readonly {
    readonly anchor: string;
    readonly name: string;
    readonly header: HeaderPart;
  }[];
  readonly errors: readonly {
    readonly anchor: string;
    readonly statuses: readonly string[];
    readonly response: ResponsePart;
  }[];
}

/** Arranges a contract for the page. Everything that the page says of paths and fields is in it. */
export function referenceOf(document: OpenapiDocument): Reference {
  const operations = operationsOf(document);
  return {
    groups: document.tags.map(({ name, description = '' }) => ({
      name,
      description,
      operations: operations.filter(({ operation }) => operation.tags?.[0] === name),
    })),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      anchor: name,
      name,
      schema,
      fields: fieldsOf(schema, { anchor: name, prefix: '' }),
    })),
    headers: headersOf(document, operations),
    errors: errorsOf(document, operations),
  };
}

/** The name of the component that a reference refers to. */
export function nameIn($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}

/** The examples of a part, each with its title. */
export function examplesOf({
  example,
  examples = {},
}: Pick<MediaPart, 'example' | 'examples'>): readonly {
  readonly title: string;
  readonly value: unknown;
}[] {
  const named = Object.entries(examples).map(([name, { summary, value }]) => ({
    title: summary ?? name,
    value,
  }));
  return example === undefined ? named : [{ title: 'Ejemplo', value: example }, ...named];
}

/** The operations of a contract, in its order. */
export function operationsOf(document: OpenapiDocument): readonly OperationEntry[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const parameters = (get.parameters ?? []).flatMap((one) =>
      isReference(one) ? (document.components.parameters?.[nameIn(one.$ref)] ?? []) : one,
    );
    const ok = get.responses['200'];
    const content = (ok !== undefined && !isReference(ok) && ok.content) || {};
    return {
      anchor: get.operationId,
      path,
      operation: get,
      parameters: parameters.map((one) => parameterOf(document, get.operationId, one)),
      responses: Object.entries(get.responses).map(([status, response]) =>
        responseOf(document, status, response),
      ),
      isTried: get.security?.length !== 0 && get['x-without-client'] !== true,
      fields: rowFieldsOf(document, content['application/json']?.schema),
      isStream: 'text/event-stream' in content,
      isTable: 'text/csv' in content,
    };
  });
}

function parameterOf(
  document: OpenapiDocument,
  operation: string,
  parameter: ParameterPart,
): ParameterEntry {
  const schema = resolve(document, parameter.schema);
  const kind = resolve(document, schema?.items) ?? schema;
  const names = kind?.['x-enum-names'] ?? {};
  const [example] = examplesOf(parameter);
  const value = example?.value;
  return {
    anchor: `${operation}.${parameter.name}`,
    parameter,
    ...(schema?.format === undefined ? {} : { format: schema.format }),
    isList: schema?.items !== undefined,
    choices: (kind?.enum ?? []).map(String).map((one) => ({ value: one, name: names[one] ?? one })),
    example: Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '',
  };
}

function rowFieldsOf(document: OpenapiDocument, schema: SchemaPart | undefined): readonly string[] {
  const row = resolve(document, resolve(document, schema)?.items);
  const kinds = row?.oneOf?.map((one) => resolve(document, one)) ?? [row];
  return [...new Set(kinds.flatMap((kind) => Object.keys(kind?.properties ?? {})))];
}

function resolve(
  document: OpenapiDocument,
  schema: SchemaPart | undefined,
): SchemaPart | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[nameIn(schema.$ref)];
}

function responseOf(
  document: OpenapiDocument,
  status: string,
  response: ResponsePart | ReferencePart,
): ResponseEntry {
  if (!isReference(response)) return { status, response };
  const name = nameIn(response.$ref);
  const shared = document.components.responses[name] ?? { description: '' };
  return { status, sharedAnchor: name, response: shared };
}

function fieldsOf(
  schema: SchemaPart,
  { anchor, prefix }: { readonly anchor: string; readonly prefix: string },
): readonly FieldEntry[] {
  return Object.entries(schema.properties ?? {}).flatMap(([own, inner]) => {
    const name = prefix + own;
    const field = {
      anchor: `${anchor}.${name}`,
      name,
      isRequired: schema.required?.includes(own) ?? false,
      schema: inner,
    };
    const within = inner.items ?? inner;
    const separator = inner.items === undefined ? '.' : '[].';
    return [field, ...fieldsOf(within, { anchor, prefix: `${name}${separator}` })];
  });
}

function headersOf(
  document: OpenapiDocument,
  operations: readonly OperationEntry[],
): Reference['headers'] {
  const found = new Map<string, HeaderPart>();
  for (const { response } of operations.flatMap(({ responses }) => responses)) {
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const part = isReference(header) ? document.components.headers[nameIn(header.$ref)] : header;
      if (part !== undefined && !found.has(name)) found.set(name, part);
    }
  }
  const byName = [...found].toSorted(([a], [b]) => a.localeCompare(b));
  return byName.map(([name, header]) => ({ anchor: headerAnchor(name), name, header }));
}

/** The anchor of a header. A schema may have its name, in another spelling. */
export function headerAnchor(name: string): string {
  return name.toLowerCase();
}

/** The responses that operations share, by their status. */
function errorsOf(
  document: OpenapiDocument,
  operations: readonly OperationEntry[],
): Reference['errors'] {
  const responses = operations.flatMap((one) => one.responses);
  const errors = Object.entries(document.components.responses).map(([anchor, response]) => {
    const uses = responses.filter(({ sharedAnchor }) => sharedAnchor === anchor);
    return { anchor, statuses: [...new Set(uses.map(({ status }) => status))], response };
  });
  return errors.toSorted((a, b) => (a.statuses[0] ?? '').localeCompare(b.statuses[0] ?? ''));
}

function isReference(part: object): part is ReferencePart {
  return '$ref' in part;
}
