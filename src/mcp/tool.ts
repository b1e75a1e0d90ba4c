import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ResponseNotes, TablePath } from '../../clients/typescript/src/index.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { summaryOf } from '../contract/part.ts';
import type { FieldAbout } from '../contract/table.ts';
import { rowLimit } from './arguments.ts';
import { adviceOn, meantBy, readState, type ServiceAccess, type ServiceState } from './service.ts';

/** The rows that a tool has read, and what their response says of them. */
interface Read extends Partial<ResponseNotes> {
  readonly data: readonly object[];
}

type Arguments<Input extends z.ZodRawShape> = z.output<z.ZodObject<Input>>;

/** What differs from the other tools. */
interface Description<Input extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** A text for agents, in Spanish and in English. */
  readonly description: string;
  readonly input: Input;
  /** The number of rows of a result by default, and its maximum. Absent where there are few rows. */
  readonly limit?: readonly [fallback: number, max: number];
  /** Which rows are shown if there are more: `last` for a series, which then is continued with an earlier `hasta`. */
  readonly keeps?: 'first' | 'last';
  /** How to request the rows after the first ones. */
  readonly others?: (lastShown: object | undefined) => string;
  /** Why the service itself may have left out rows. Undefined if it has not. */
  readonly omission?: (total: number, args: Arguments<Input>) => string | undefined;
  /** The arguments that a result repeats. Its rows do not have them. */
  readonly repeats?: readonly (keyof Input & string)[];
  /** The fields of the rows by the name of their list. */
  readonly lists: Readonly<Record<string, z.ZodRawShape>>;
  /** Which of several lists a result has. */
  readonly listOf?: (args: Arguments<Input>) => string;
  /** Why arguments are refused that the schema accepts, for the agent. Undefined if they are not. */
  readonly refusal?: (args: Arguments<Input>) => string | undefined;
  /**
   * The path whose rows a result has, if its parameters are the arguments, or how the rows are read. The state of the
   * service is read at the same time.
   */
  readonly read: AnyOperation | Reader<Input>;
}

type Reader<Input extends z.ZodRawShape> = (
  args: Arguments<Input>,
  service: ServiceAccess,
  state: Promise<ServiceState>,
) => Promise<Read>;

/** The fields that every result begins with. */
const about = {
  datos: z
    .enum(['reales', 'simulados', 'desconocido'])
    .describe('"simulados": precios inventados de una demostración. Made-up prices.'),
  consultado: z
    .string()
    .optional()
    .describe('Instante de la respuesta en el servicio (RFC 3339, hora de Buenos Aires).'),
  avisos: z.array(z.string()).describe('Advertencias que se deben transmitir. Pass them on.'),
};

/** The further fields of a result with a limited number of rows. */
const limited = {
  total: z.int().describe('Filas que hay en el servicio. Rows that exist.'),
  truncado: z.boolean().describe('Si faltan filas por el límite. Whether rows were left out.'),
  faltan: z
    .array(z.string())
    .describe('Especies desconocidas o sin datos. Unknown tickers, or without data.'),
};

/** What an agent may assume of every tool: it reads, and the same call changes nothing. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Declares a tool. The result adds it to a server. */
export function tool<Input extends z.ZodRawShape>(
  of: Description<Input>,
): (server: McpServer, service: ServiceAccess) => void {
  const { name, title, description, limit, repeats = [], listOf } = of;
  const lists = Object.entries(of.lists).map(([list, fields]) => {
    const rows = z.array(z.looseObject(fields));
    return [list, listOf === undefined ? rows : rows.optional()] as const;
  });
  const inputSchema = z.object({
    ...of.input,
    ...(limit === undefined ? {} : { limite: rowLimit(...limit) }),
  });
  const outputSchema = z.object({
    ...about,
    ...(limit === undefined ? {} : limited),
    ...Object.fromEntries([
      ...repeats.map((one) => [one, repeated(of.input[one])] as const),
      ...lists,
    ]),
  });
  const config = { title, description, inputSchema, outputSchema, annotations };
  return (server, service) => {
    server.registerTool(name, config, (args) => answer(of, args as Arguments<Input>, service));
  };
}

/** A result lacks an argument that was not given. */
function repeated(argument: unknown): z.ZodType {
  return argument instanceof z.ZodOptional ? z.string().optional() : z.string();
}

/**
 * The result of a tool as structured content, and as the same JSON in a text for hosts without structured
 * content. An error of the service is one that the agent can read and act upon.
 */
async function answer<Input extends z.ZodRawShape>(
  of: Description<Input>,
  args: Arguments<Input>,
  service: ServiceAccess,
): Promise<CallToolResult> {
  const refusal = of.refusal?.(args);
  if (refusal !== undefined) return failed(refusal);
  try {
    const structuredContent = await resultOf(of, args, service);
    const text = JSON.stringify(structuredContent);
    return { content: [{ type: 'text', text }], structuredContent };
  } catch (error) {
    const text = adviceOn(error, service);
    if (text === undefined) throw error;
    return failed(text);
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

async function resultOf<Input extends z.ZodRawShape>(
  of: Description<Input>,
  args: Arguments<Input>,
  service: ServiceAccess,
): Promise<Readonly<Record<string, unknown>>> {
  const { repeats = [], listOf = () => Object.keys(of.lists)[0] ?? '' } = of;
  const reading = readState(service);
  const { limite = Infinity, ...given } = args as Readonly<Record<string, unknown>> & {
    readonly limite?: number;
  };
  // A fault that is thrown before the first request must not leave the other one without a listener.
  const [read, state] = await Promise.all([
    Promise.try(() =>
      typeof of.read === 'function'
        ? of.read(given as unknown as Arguments<Input>, service, reading)
        : rowsOf(of.read, given, service),
    ),
    reading,
  ]);
  const { data } = read;
  const rows = of.keeps === 'last' ? data.slice(-limite) : data.slice(0, limite);
  const omissions = [
    rows.length < data.length ? cutText(of, rows, data.length) : undefined,
    of.omission?.(data.length, args),
  ].filter((one) => one !== undefined);
  const faltan = [
    ...namesOf(read.missing, read.missingOmitted),
    ...namesOf(read.missingTerms, read.missingTermsOmitted),
  ];
  const hasTickers = 'especie' in of.input || 'especies' in of.input;
  const dividends = namesOf(read.missingDividends, read.missingDividendsOmitted).join(', ');
  const avisos = [
    ...state.avisos,
    ...(hasTickers ? await meantBy(service, faltan) : []),
    ...omissions,
    // Contract 4.2.7.
    ...(dividends === ''
      ? []
      : [
          `El ajuste omite los dividendos de ${dividends}: están en otra moneda o no son menores que el cierre anterior.`,
        ]),
    // Contract 4.2.17.
    ...(read.missingRates
      ? [`Ruedas que faltan, porque ningún cierre del dólar las convierte: ${read.missingRates}.`]
      : []),
  ];
  return {
    datos: state.datos,
    consultado: state.consultado,
    avisos,
    ...(of.limit === undefined
      ? {}
      : { total: data.length, truncado: omissions.length > 0, faltan }),
    ...Object.fromEntries(repeats.map((one) => [one, given[one]])),
    [listOf(args)]: rows.map((row) => without(row, repeats)),
  };
}

/** The dates of a range without a first and a last one. */
const everyDay = { desde: '0001-01-01', hasta: '9999-12-31' };

/**
 * The rows of a path for the arguments that are parameters of it. Several tickers are an argument of their own. A range
 * with one date is open, and so is one without dates where the path requires them.
 */
function rowsOf(
  { path, inputs }: AnyOperation,
  { especies, ...args }: Readonly<Record<string, unknown>>,
  { client }: ServiceAccess,
): Promise<Read> {
  const { desde, hasta } = args;
  const isDated = (desde ?? hasta) !== undefined || inputs['desde']?.isRequired === true;
  const open = isDated && 'hasta' in inputs ? everyDay : {};
  const given = Object.entries({ especie: especies, ...args }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const query = { ...open, ...Object.fromEntries(given) };
  return client.table(path as TablePath, query);
}

/** What was left out, and how to request it. The first day of a series that is shown may be incomplete. */
function cutText(
  { keeps, others }: Pick<Description<z.ZodRawShape>, 'keeps' | 'others'>,
  rows: readonly object[],
  total: number,
): string {
  if (keeps === 'last') {
    return `Se muestran las últimas ${rows.length} filas de ${total}. Para las anteriores, pedir con hasta=${dateOf(rows[0])}, o subir "limite".`;
  }
  const further = others === undefined ? '' : ` ${others(rows.at(-1))}`;
  return `Se muestran las primeras ${rows.length} de ${total}.${further}`;
}

/** The date of a row of a series. */
export function dateOf(row: { readonly fecha?: unknown } | undefined): string {
  return String(row?.fecha);
}

/** The names of a header, and last how many more there are, as the header has it (contract 4.1.5). */
function namesOf(names: readonly string[] = [], omitted = 0): readonly string[] {
  return omitted === 0 ? names : [...names, `…+${omitted}`];
}

/** Some members of an object, of those that it has. */
export function pick<T>(of: Readonly<Record<string, T>>, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]] as const])),
  );
}

/** A row without some of its fields. */
export function without(row: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** The fields of a table of the contract, but some, as an output schema has them. */
export function fieldsOf(
  { fields }: { readonly fields: Readonly<Record<string, { readonly about: FieldAbout }>> },
  except: readonly string[] = [],
): Record<string, z.ZodType> {
  const shown = Object.entries(fields).filter(([name]) => !except.includes(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, fieldOf(field.about)]));
}

/** A field with the first sentence of its text. An agent reads the list of tools whenever it starts. */
function fieldOf(of: FieldAbout): z.ZodType {
  const { schema, without: lack } = of;
  const type = typeOf(schema);
  const field = lack === undefined ? type : lack === 'null' ? type.nullable() : type.optional();
  const text = summaryOf(of);
  return text === '' ? field : field.describe(text);
}

/** The type of a schema, without its limits. */
function typeOf(schema: FieldAbout['schema']): z.ZodType {
  if (typeof schema === 'string') return z.string();
  const { type, items, properties = {} } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return z.number();
    case 'boolean':
      return z.literal(true);
    case 'array':
      return z.array(typeOf(items as typeof schema));
    case 'object': {
      const members = Object.entries(properties as Record<string, typeof schema>);
      return z.looseObject(Object.fromEntries(members.map(([name, one]) => [name, typeOf(one)])));
    }
    default:
      return z.string();
  }
}
