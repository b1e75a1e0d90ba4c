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
export type Reference = ReturnType<typeof referenceOf>;

/** Arranges a contract for the page. Everything that the page says of paths and fields is in it. */
export function referenceOf(document: OpenapiDocument) {
  const operations = operationsOf(document);
  const responses = operations.flatMap((one) => one.responses);
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
    headers: headersOf(document, responses),
    /** The responses that operations share, by their status. */
    errors: Object.entries(document.components.responses)
      .map(([anchor, response]) => {
        const uses = responses.filter(({ sharedAnchor }) => sharedAnchor === anchor);
        return { anchor, statuses: [...new Set(uses.map(({ status }) => status))], response };
      })
      .toSorted((one, other) => Number(one.statuses[0]) - Number(other.statuses[0])),
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
    const { operationId: anchor, parameters = [], responses } = get;
    const ok = responses['200'];
    const content = (ok && resolved(document, ok).content) ?? {};
    return {
      anchor,
      path,
      operation: get,
      parameters: parameters.map((one) => parameterOf(document, anchor, resolved(document, one))),
      responses: Object.entries(responses).map(([status, response]) => ({
        status,
        ...(isReference(response) ? { sharedAnchor: nameIn(response.$ref) } : {}),
        response: resolved(document, response),
      })),
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
  const schema = resolved(document, parameter.schema);
  const kind = schema.items === undefined ? schema : resolved(document, schema.items);
  const names = kind['x-enum-names'] ?? {};
  const value = examplesOf(parameter)[0]?.value;
  return {
    anchor: `${operation}.${parameter.name}`,
    parameter,
    ...(schema.format === undefined ? {} : { format: schema.format }),
    isList: schema.items !== undefined,
    choices: (kind.enum ?? []).map(String).map((one) => ({ value: one, name: names[one] ?? one })),
    example: Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '',
  };
}

function rowFieldsOf(document: OpenapiDocument, schema: SchemaPart = {}): readonly string[] {
  const row = resolved(document, resolved(document, schema).items ?? {});
  const kinds = row.oneOf?.map((one) => resolved(document, one)) ?? [row];
  return [...new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)))];
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

function headersOf(document: OpenapiDocument, responses: readonly ResponseEntry[]) {
  const named = responses.flatMap(({ response }) => Object.entries(response.headers ?? {}));
  return [...new Map(named)]
    .map(([name, header]) => ({
      anchor: headerAnchor(name),
      name,
      header: resolved(document, header),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The anchor of a header. A schema may have its name, in another spelling. */
export function headerAnchor(name: string): string {
  return name.toLowerCase();
}

/** A part itself, or the component that it refers to: `#/components/schemas/Cotizacion`. */
function resolved<Part extends object>(
  { components }: OpenapiDocument,
  part: Part | ReferencePart,
): Part {
  if (!isReference(part)) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  const parts = (components as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[kind];
  return (parts?.[name] ?? {}) as Part;
}

function isReference(part: object): part is ReferencePart {
  return '$ref' in part;
}
