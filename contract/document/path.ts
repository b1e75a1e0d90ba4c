import type { AnyOperation } from '../../src/contract/operation.ts';
import type { Input } from '../../src/contract/part.ts';
import type { FieldAbout, TableRows } from '../../src/contract/table.ts';
import { parseFormatParams } from '../../src/contract/table-format.ts';
import { problemResponse, type ErrorResponse } from '../../src/wire/texts/error-texts.ts';
import {
  badMessage,
  errorContent,
  errorsOf,
  examplesOf,
  headerRefs,
  limitHeaders,
  type HeaderName,
  type Samples,
} from './responses.ts';
import { list, prose, ref, type Prose, type Schema } from './schema.ts';

/** What the document says of every path. */
interface PathTexts {
  readonly of: AnyOperation;
  /** The method of a generated client. By default `get` and the path. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description: Prose;
  /** The examples of the parameters. */
  readonly examples?: Readonly<Record<string, Example | Samples<Example>>>;
  /** What the 200 is. */
  readonly ok: string;
  /** The headers of the 200 and the 304 beside those of every response with content. */
  readonly headers?: readonly HeaderName[];
  /** When the 400 is. By default if the request is malformed. */
  readonly invalid?: string;
  /** Queries that get a 400, or a 400 that does not follow from the query. */
  readonly errors?: Samples<string | ErrorResponse>;
}

type Example = string | number | readonly string[];

/** A path whose response is rows. */
export interface TablePath extends PathTexts {
  /** Sample rows with their table, which renders their JSON and their CSV. */
  readonly samples: Samples<TableRows>;
  /** Further keywords of the schema of the response. */
  readonly more?: Schema;
}

/** A path whose response is something else. */
export interface OtherPath extends PathTexts {
  /** A header of the request. */
  readonly requestHeader?: Schema;
  /** The media type. By default that of JSON. */
  readonly type?: string;
  readonly schema: Schema;
  readonly samples?: Samples<unknown>;
  /**
   * `open`: it needs no key; `untagged`: nor has it an entity tag; `stream`: the response stays open; `chart`: it is
   * below `/udf`.
   */
  readonly kind?: 'open' | 'untagged' | 'stream' | 'chart';
  /** Whether only other programs request it, by themselves. */
  readonly isWithoutClient?: true;
  /** Responses in place of those of the other paths. */
  readonly responses?: Readonly<Record<number, Schema>>;
}

/** The paths of one section of the document, with the schemas that only they have. */
export interface Section {
  readonly tag: string;
  readonly description: string;
  readonly paths: readonly (TablePath | OtherPath)[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** What the rows of a table are, by the name of their schema. */
  readonly rows?: Readonly<Record<string, string>>;
}

export function isTable(about: TablePath | OtherPath): about is TablePath {
  return !('schema' in about);
}

/** The one sample of a response. */
export function only<T>(value: T): Samples<T> {
  return { '': ['', value] };
}

/** The path and its operation. */
export function operationOf(tag: string, about: TablePath | OtherPath): readonly [string, Schema] {
  const other: Partial<OtherPath> = isTable(about) ? {} : about;
  const { kind = 'keyed', requestHeader } = other;
  const { of, summary, description, examples = {} } = about;
  const { path, inputs } = of;
  const { operationId = methodOf(path) } = about;
  const parameters = [
    ...Object.entries(inputs).map(([name, input]) =>
      parameterOf(name, { ...input, es: filled(input.es, of) }, examples[name]),
    ),
    ...(requestHeader === undefined ? [] : [requestHeader]),
  ];
  const operation = {
    tags: [tag],
    operationId,
    summary,
    ...(other.isWithoutClient === true ? { 'x-without-client': true } : {}),
    description: prose(description),
    ...(kind === 'open' || kind === 'untagged' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isTable(about) ? { 'x-csv': csvOf(about) } : {}),
    responses: {
      ...responsesOf(about, isTable(about) ? jsonOf(about) : contentOf(about)),
      ...other.responses,
    },
  };
  return [path, { get: operation }];
}

/** A text with the names of the fields on request. */
function filled(es = '', { tables }: AnyOperation): string {
  const names = Object.values(tables).flatMap(({ requested = [] }) => requested);
  return es.replace('{campos}', inWords(names.map((name) => `\`${name}\``)));
}

export function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} y ${names.at(-1)}`;
}

/** `/bonos/flujos` is `getBonosFlujos`. */
function methodOf(path: string): string {
  const words = path.split(/\W|_/).filter((word) => word !== '');
  return `get${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}

export function parameterOf(
  name: string,
  { schema: own, isRequired, es }: Input,
  example?: Example | Samples<Example>,
): Schema {
  const schema = schemaOf(own);
  const isNamed = typeof example === 'object' && !Array.isArray(example);
  return {
    name,
    in: 'query',
    required: isRequired === true,
    description: es,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
    ...(example === undefined
      ? {}
      : isNamed
        ? examplesOf(example as Samples<Example>)
        : { example }),
  };
}

/** A schema of a declaration: a text is the name of a schema of the document. */
function schemaOf(schema: FieldAbout['schema']): Schema {
  if (typeof schema === 'string') return ref(schema);
  const items = schema['items'] as FieldAbout['schema'] | undefined;
  return items === undefined ? schema : { ...schema, items: schemaOf(items) };
}

function responsesOf(about: TablePath | OtherPath, content: Schema): Schema {
  const { ok, headers = [] } = about;
  const other: Partial<OtherPath> = isTable(about) ? {} : about;
  const { kind = 'keyed' } = other;
  const needsKey = kind !== 'open' && kind !== 'untagged';
  const limits = needsKey ? limitHeaders : [];
  const isTagged = kind !== 'untagged' && kind !== 'stream';
  const tagged: readonly HeaderName[] = [...limits, ...headers, ...(isTagged ? tags : [])];
  const all: readonly HeaderName[] = isTagged ? [...tagged, 'Content-Encoding'] : tagged;
  const validators = headers.includes('Last-Modified')
    ? '`If-None-Match`, `If-Modified-Since`'
    : '`If-None-Match`';
  const errors = Object.entries(errorsOf[kind]).map(([status, name]) => [
    status,
    ref(name, 'responses'),
  ]);
  return {
    200: { description: ok, ...(all.length === 0 ? {} : headerRefs(all)), content },
    ...(isTagged
      ? {
          304: {
            description: `El cliente ya tiene la respuesta (${validators}). Sin cuerpo.`,
            ...headerRefs(tagged),
          },
        }
      : {}),
    ...(kind === 'keyed' || kind === 'stream' ? { 400: badRequestOf(about) } : {}),
    ...Object.fromEntries(errors),
  };
}

const tags = ['ETag', 'Vary'] as const;

/** The 400 of a path that needs a key. Its errors follow from queries that the path refuses. */
function badRequestOf(about: TablePath | OtherPath): Schema {
  const { invalid = badMessage.about, errors } = about;
  const samples = Object.entries(errors ?? {}).map(([name, [summary, mistake]]) => {
    const response = typeof mistake === 'string' ? refusalOf(about, mistake) : mistake;
    return [name, [summary, response]] as const;
  });
  return {
    description: invalid,
    ...headerRefs(limitHeaders),
    ...errorContent(errors === undefined ? badMessage.samples : Object.fromEntries(samples)),
  };
}

function refusalOf(about: TablePath | OtherPath, query: string): ErrorResponse {
  const format = parseFormatParams(query);
  if (!format.ok) return problemResponse(format.problem);
  const parsed = about.of.read?.(query, { tickersMax: 500 });
  if (parsed === undefined || parsed.ok) throw new Error(`no error: ${query}`);
  return problemResponse(parsed.problem);
}

function contentOf({ type = 'application/json', schema, samples }: OtherPath): Schema {
  return { [type]: { schema, ...(samples === undefined ? {} : examplesOf(samples)) } };
}

function jsonOf({ of, samples, more }: TablePath): Schema {
  const names = Object.keys(of.tables).map((name) => ref(name));
  const [first = {}, ...others] = names;
  const values = Object.entries(samples).map(([name, [summary, rows]]) => {
    const value: unknown = JSON.parse(String(rows.render('json')));
    return [name, [summary, value]] as const;
  });
  return {
    'application/json': {
      schema: list(undefined, others.length === 0 ? first : { oneOf: names }, more),
      ...examplesOf(Object.fromEntries(values)),
    },
  };
}

const header = (csv: string): string => csv.slice(0, csv.indexOf('\r'));

/** The CSV of a table: both styles of the first sample, and of every sample with other columns one. */
function csvOf({ of, samples }: TablePath): Schema {
  const columns = alike(Object.values(of.tables)).map(headerPattern);
  const rendered = Object.entries(samples).map(([name, [summary, rows]]) => ({
    name,
    summary,
    comma: String(rows.render('csv')),
    semicolon: String(rows.render('csv-comma')),
  }));
  const [first, ...others] = rendered;
  if (first === undefined) throw new Error(`${of.path} has no sample`);
  const further = others.filter(({ comma }) => header(comma) !== header(first.comma));
  const examples = {
    punto: ['Con punto decimal', first.comma],
    coma: ['Con coma decimal (`decimal=coma`)', first.semicolon],
    ...Object.fromEntries(further.map(({ name, summary, comma }) => [name, [summary, comma]])),
  } as Samples<string>;
  const schema = { type: 'string', pattern: `^(${columns.join('|')})\\r\\n` };
  return { content: { 'text/csv': { schema, ...examplesOf(examples) } } };
}

type AnyTable = AnyOperation['tables'][string];

const columnsOf = ({ fields }: AnyTable): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.column !== undefined);

/** Tables with as many columns as one table, whose columns may have any of their names. */
function alike(tables: readonly AnyTable[]): readonly AnyTable[] {
  const all = tables.map(columnsOf);
  const [first = [], ...others] = all;
  if (others.length === 0 || others.some((one) => one.length !== first.length)) return tables;
  const names = first.map((name, at) => {
    const choices = new Set(all.map((one) => one[at]));
    return choices.size === 1 ? name : `(${[...choices].join('|')})`;
  });
  const fields = names.map((name) => [name, { about: { schema: {} }, column: true }]);
  return [{ fields: Object.fromEntries(fields) }];
}

/** The header lines of a table in both styles of CSV. A field on request is optional. */
function headerPattern(table: AnyTable): string {
  const names = columnsOf(table);
  if (table.others !== undefined) return `${names.join('[,;]')}([,;][^\\r\\n]+)?`;
  const { requested = [] } = table;
  const styles = [',', ';'].map((separator) =>
    names
      .map((name, at) => {
        if (requested.includes(name)) return `(${separator}${name})?`;
        return at === 0 ? name : separator + name;
      })
      .join(''),
  );
  return styles.join('|');
}

/** The schemas of the rows of an operation. */
export function rowSchemas(
  { tables }: AnyOperation,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, Schema>> {
  const entries = Object.entries(tables).flatMap(([name, table]) => {
    if (table.kinds === undefined) {
      const fields = Object.entries(table.fields).map(([field, { about }]) => [field, about]);
      const row = rowSchema(texts[name], Object.fromEntries(fields), table.others);
      const required = row.required.filter((field) => table.requested?.includes(field) !== true);
      return [[name, { ...row, required }] as const];
    }
    const kinds = Object.entries(table.kinds);
    const oneOf = kinds.map(([kind]) => ref(kind));
    return [
      [name, { description: textOf(texts[name]), oneOf }] as const,
      ...kinds.map(([kind, fields]) => [kind, rowSchema(texts[kind], fields)] as const),
    ];
  });
  return Object.fromEntries(entries);
}

function textOf(text: string | undefined): string {
  if (text === undefined) throw new Error('a table has no description');
  return text;
}

function rowSchema(
  text: string | undefined,
  fields: Readonly<Record<string, FieldAbout>>,
  others?: Schema,
): Schema & { readonly required: readonly string[] } {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    description: textOf(text),
    ...(others === undefined ? { additionalProperties: false } : {}),
    required: entries.filter(([, about]) => about.without !== 'absent').map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, about]) => [name, fieldSchema(about)])),
    ...(others === undefined ? {} : { unevaluatedProperties: others }),
  };
}

function fieldSchema({ schema: own, without, es }: FieldAbout): Schema {
  const schema = schemaOf(own);
  return {
    ...schema,
    ...(without === 'null' ? { type: [schema['type'], 'null'].flat() } : {}),
    ...(es === undefined ? {} : { description: es }),
  };
}
