import type { AnyOperation } from '../../src/contract/operation.ts';
import type { FieldAbout } from '../../src/contract/table.ts';

type Table = AnyOperation['tables'][string];

/** The cells of a table, with its heading. */
type Rows = readonly (readonly string[])[];

type MayLackTexts = readonly (readonly (string | undefined)[])[];

/**
 * `docs/contract.md` with its tables of parameters and of fields. Each stands after a mark that says what it is:
 * `parameters of /cotizaciones`, `fields of Cotizacion` or `requested fields of Cotizacion`. What two tables say in the
 * same words, the second one says by the section of the first one.
 *
 * @throws when a mark names nothing that has all its texts, and when a table that has all of them has no mark.
 */
export function describeClauses(markdown: string, operations: readonly AnyOperation[]): string {
  const tables = new Map(operations.flatMap(tablesOf));
  const mark = /<!-- ((?:parameters|fields|requested fields) of \S+) -->\n+(?:\|.*\n)*/g;
  const sections = new Map<string, string>();
  const described = markdown.replaceAll(mark, (_, name: string, at: number) => {
    const rows = tables.get(name);
    if (rows === undefined) throw new Error(`a text of this table is missing: ${name}`);
    tables.delete(name);
    const [section = ''] = markdown.slice(0, at).match(/(?<=\n### )[\d.]+(?!.*\n### )/gs) ?? [];
    return `<!-- ${name} -->\n\n${tableText(saidOnce(rows, section, sections))}`;
  });
  const left = [...tables.keys()];
  if (left.length > 0) throw new Error(`docs/contract.md has no mark of ${left.join(', ')}`);
  return described;
}

/** The tables of an operation whose parameters or fields all have English texts. */
function tablesOf({ path, inputs, tables }: AnyOperation): readonly (readonly [string, Rows])[] {
  const parameters = Object.entries(inputs).map(([name, { en }]) => [`\`${name}\``, en]);
  const all = Object.entries(tables).flatMap(([name, table]) => {
    const { requested = [] } = table;
    const plain = Object.keys(table.fields).filter((field) => !requested.includes(field));
    return [
      [`fields of ${name}`, fieldRows(table, plain)],
      [`requested fields of ${name}`, fieldRows(table, requested)],
    ] satisfies [string, MayLackTexts][];
  });
  const named: readonly [string, MayLackTexts][] = [
    [`parameters of ${path}`, [['parameter', 'meaning'], ...parameters]],
    ...all,
  ];
  return named.filter((one): one is [string, Rows] => {
    const texts = one[1].slice(1).map((row) => row.at(-1));
    return texts.length > 0 && !texts.includes(undefined);
  });
}

/**
 * The rows, of which several in a row that an earlier table has are one.
 *
 * @param sections the section that has each row, to which those of this table are added
 */
function saidOnce(rows: Rows, section: string, sections: Map<string, string>): Rows {
  const [heading = [], ...others] = rows;
  const runs: { readonly where: string | undefined; readonly rows: string[][] }[] = [];
  for (const row of others) {
    const where = sections.get(row.join('|'));
    const last = runs.at(-1);
    if (where !== undefined && last?.where === where) last.rows.push([...row]);
    else runs.push({ where, rows: [[...row]] });
  }
  for (const row of others) if (!sections.has(row.join('|'))) sections.set(row.join('|'), section);
  return [
    heading,
    ...runs.flatMap(({ where, rows: run }) => {
      if (where === undefined || run.length < 2) return run;
      const names = run.map(([name = '']) => name).join(', ');
      return [[names, ...heading.slice(2).map(() => ''), `As those of ${where}.`]];
    }),
  ];
}

/** Where some fields may be absent, a column says when each is present. */
function fieldRows(table: Table, names: readonly string[]): MayLackTexts {
  const hasPresence = new Set(names.map((name) => presenceOf(table, name))).size > 1;
  const rows = names.map((name) => {
    const { about } = table.fields[name] as Table['fields'][string];
    return [`\`${name}\``, typeText(about), presenceOf(table, name), about.en];
  });
  return [['field', 'type', 'presence', 'meaning'], ...rows].map(([name, type, presence, text]) =>
    hasPresence ? [name, type, presence, text] : [name, type, text],
  );
}

/** A field that only some kinds of rows have is present with the types of those kinds. */
function presenceOf({ fields, kinds = {} }: Table, name: string): string {
  const all = Object.values(kinds);
  const having = all.filter((kind) => name in kind);
  if (having.length < all.length) {
    const types = having.flatMap(({ tipo }) => (tipo?.schema as OwnSchema | undefined)?.enum ?? []);
    return types.map((type) => `\`${type}\``).join(', ');
  }
  return fields[name]?.about.without === 'absent' ? 'where known' : 'always';
}

/** The shapes of times, by their patterns. */
const shapes = new Map([
  ['^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$', '`HH:MM:SS`'],
  ['^([01]\\d|2[0-3]):[0-5]\\d:00$', '`HH:MM:00`'],
  ['^([01]\\d|2[0-3]):[0-5]\\d$', '`HH:MM`'],
  ['^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', '`HH:MM`'],
  ['date', '`YYYY-MM-DD`'],
  ['date-time', 'RFC 3339'],
]);

function typeText({ schema, without }: FieldAbout): string {
  const own = typeof schema === 'string' ? 'string' : ownTypeText(schema);
  return without === 'null' ? `${own} or null` : own;
}

/** Of a field with more than two values, the meaning names them. */
function ownTypeText({ type, format, pattern, enum: values = [] }: OwnSchema): string {
  if (values.length === 2) return values.map((value) => `\`${value}\``).join(' or ');
  const shape = shapes.get(format ?? pattern ?? '');
  return [...[type].flat(), ...(shape === undefined ? [] : [shape])].join(', ');
}

/** The keywords of a schema that a table shows. */
interface OwnSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

function tableText(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  const [heading = [], ...others] = rows.map(line);
  return [heading, line(widths.map((width) => '-'.repeat(width))), ...others].join('');
}
