import type { AnyOperation } from '../../src/contract/operation.ts';
import type { FieldAbout } from '../../src/contract/table.ts';

type Table = AnyOperation['tables'][string];

/** A line of a list: the name in code, what it can be, and its meaning. */
interface Line {
  readonly name: string;
  readonly shape?: string;
  readonly text: string;
}

type MayLackText = Omit<Line, 'text'> & { readonly text: string | undefined };

/**
 * `docs/contract.md` with its lists of parameters and of fields. Each stands after a mark that says what it is:
 * `parameters of /cotizaciones`, `fields of Cotizacion` or `requested fields of Cotizacion`. What two lists say in the
 * same words, the second one says by the section of the first one.
 *
 * @throws when a mark names nothing that has all its texts, and when a list that has all of them has no mark.
 */
export function describeClauses(markdown: string, operations: readonly AnyOperation[]): string {
  const lists = new Map(operations.flatMap(listsOf));
  const mark = /<!-- ((?:parameters|fields|requested fields) of \S+) -->\n+(?:- .*\n)*/g;
  const sections = new Map<string, string>();
  const described = markdown.replaceAll(mark, (_, name: string, at: number) => {
    const lines = lists.get(name);
    if (lines === undefined) throw new Error(`a text of this list is missing: ${name}`);
    lists.delete(name);
    const [section = ''] = markdown.slice(0, at).match(/(?<=\n### )[\d.]+(?!.*\n### )/gs) ?? [];
    return `<!-- ${name} -->\n\n${saidOnce(lines, section, sections).map(lineText).join('')}`;
  });
  const left = [...lists.keys()];
  if (left.length > 0) throw new Error(`docs/contract.md has no mark of ${left.join(', ')}`);
  return described;
}

/** The lists of an operation whose parameters or fields all have English texts. */
function listsOf({ path, inputs, tables }: AnyOperation): readonly (readonly [string, Line[]])[] {
  const parameters = Object.entries(inputs).map(([name, { en }]) => ({
    name: `\`${name}\``,
    text: en,
  }));
  const all = Object.entries(tables).flatMap(([name, table]) => {
    const { requested = [] } = table;
    const plain = Object.keys(table.fields).filter((field) => !requested.includes(field));
    return [
      [`fields of ${name}`, fieldLines(table, plain)],
      [`requested fields of ${name}`, fieldLines(table, requested)],
    ] satisfies [string, MayLackText[]][];
  });
  const named: readonly [string, MayLackText[]][] = [[`parameters of ${path}`, parameters], ...all];
  return named.filter(
    (one): one is [string, Line[]] =>
      one[1].length > 0 && one[1].every(({ text }) => text !== undefined),
  );
}

/**
 * The lines, of which several in a row that an earlier list has are one.
 *
 * @param sections the section that has each line, to which those of this list are added
 */
function saidOnce(lines: readonly Line[], section: string, sections: Map<string, string>): Line[] {
  const runs: { readonly where: string | undefined; readonly lines: Line[] }[] = [];
  for (const line of lines) {
    const where = sections.get(lineText(line));
    const last = runs.at(-1);
    if (where !== undefined && last?.where === where) last.lines.push(line);
    else runs.push({ where, lines: [line] });
  }
  for (const text of lines.map(lineText)) if (!sections.has(text)) sections.set(text, section);
  return runs.flatMap(({ where, lines: run }) =>
    where === undefined || run.length < 2
      ? run
      : [{ name: run.map(({ name }) => name).join(', '), text: `As those of ${where}.` }],
  );
}

/** Where some fields may be absent, and others not, each that may says so. */
function fieldLines(table: Table, names: readonly string[]): MayLackText[] {
  const hasPresence = new Set(names.map((name) => presenceText(table, name))).size > 1;
  return names.map((name) => {
    const { about } = table.fields[name] as Table['fields'][string];
    const shape = typeText(about) + (hasPresence ? presenceText(table, name) : '');
    return { name: `\`${name}\``, shape, text: about.en };
  });
}

/** A field that only some kinds of rows have is present with the types of those kinds. */
function presenceText({ fields, kinds = {} }: Table, name: string): string {
  const all = Object.values(kinds);
  const having = all.filter((kind) => name in kind);
  if (having.length < all.length) {
    const types = having.flatMap(({ tipo }) => (tipo?.schema as OwnSchema | undefined)?.enum ?? []);
    return `; only of ${types.map((type) => `\`${type}\``).join(', ')}`;
  }
  return fields[name]?.about.without === 'absent' ? ', where known' : '';
}

/** The shapes of the texts of times, by their patterns. */
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
  return shapes.get(format ?? pattern ?? '') ?? [type].flat().join(', ');
}

/** The keywords of a schema that a list shows. */
interface OwnSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

function lineText({ name, shape, text }: Line): string {
  return `- ${name}${shape === undefined ? '' : ` (${shape})`}: ${text}\n`;
}
