import type {
  HeaderPart,
  MediaPart,
  OperationPart,
  ParameterPart,
  ReferenceDocument,
  ReferencePart,
  ResponsePart,
  SchemaPart,
} from './reference-document.ts';

/** An operation with its place in the page. */
export interface OperationEntry {
  readonly anchor: string;
  readonly path: string;
  readonly operation: OperationPart;
  readonly parameters: readonly { readonly anchor: string; readonly parameter: ParameterPart }[];
  readonly responses: readonly ResponseEntry[];
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
export function referenceOf(document: ReferenceDocument): Reference {
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

/** All anchors of a reference, in the order of the page. */
export function anchorsOf({ groups, schemas, headers, errors }: Reference): readonly string[] {
  return [
    ...groups.flatMap((group) =>
      group.operations.flatMap((one) => [
        one.anchor,
        ...one.parameters.map(({ anchor }) => anchor),
      ]),
    ),
    ...errors.map(({ anchor }) => anchor),
    ...headers.map(({ anchor }) => anchor),
    ...schemas.flatMap(({ anchor, fields }) => [anchor, ...fields.map((field) => field.anchor)]),
  ];
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

function operationsOf(document: ReferenceDocument): readonly OperationEntry[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const parameters = (get.parameters ?? []).flatMap((one) =>
      isReference(one) ? (document.components.parameters?.[nameIn(one.$ref)] ?? []) : one,
    );
    return {
      anchor: get.operationId,
      path,
      operation: get,
      parameters: parameters.map((parameter) => ({
        anchor: `${get.operationId}.${parameter.name}`,
        parameter,
      })),
      responses: Object.entries(get.responses).map(([status, response]) =>
        responseOf(document, status, response),
      ),
    };
  });
}

function responseOf(
  document: ReferenceDocument,
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
  document: ReferenceDocument,
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
  return byName.map(([name, header]) => ({ anchor: name, name, header }));
}

/** The responses that operations share, by their status. */
function errorsOf(
  document: ReferenceDocument,
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
