import Papa from 'papaparse';
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import { delimiterOf } from '../files/csv-table.ts';

/** A value of an entry: a text, a map, or a list of texts or of maps of texts. */
type YamlValue = string | { readonly [Key in string]: YamlValue } | readonly YamlValue[];

/** An entry of a map. */
export interface NewEntry {
  readonly key: string;
  readonly value: { readonly [Key in string]: YamlValue };
}

/**
 * Inserts entries at the end of a map at the root of a YAML text. Every other line stays as it is, comments
 * included. A map that is missing is added at the end of the text.
 *
 * @param text whose root is a map, as it is in the file
 */
export function insertEntries(text: string, name: string, entries: readonly NewEntry[]): string {
  if (entries.length === 0) return text;
  const { contents: root } = parseDocument(text, { schema: 'failsafe', prettyErrors: false });
  if (!isMap(root)) throw new Error('the root of the file is no map');
  const pair = (root as unknown as YAMLMap<Node, Node | null>).items.find(
    ({ key }) => isScalar(key) && key.value === name,
  );
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const edit: Edit = { text, lineEnd };
  if (root.flow === true && pair === undefined) {
    return insertInBraces(edit, root, `${name}: ${bracesOf(entries)}`);
  }
  if (pair === undefined) {
    return insertLines(edit, text.length, [`${name}:`, ...blockOf(entries, '  ')]);
  }
  const { value } = pair;
  if (isMap(value) && value.flow === true) {
    return insertInBraces(edit, value, bracesOf(entries).slice(1, -1).trim());
  }
  const items = isMap(value) ? (value as unknown as YAMLMap<Node, Node | null>).items : [];
  const [first, last] = [items[0], items.at(-1)];
  const indent = first === undefined ? `${columnOf(text, pair.key)}  ` : columnOf(text, first.key);
  const end = endOf(last ?? pair);
  return insertLines(edit, end, blockOf(entries, indent));
}

interface Edit {
  readonly text: string;
  readonly lineEnd: string;
}

/** Inserts lines after the line of a position. */
function insertLines({ text, lineEnd }: Edit, position: number, lines: readonly string[]): string {
  const isAtStart = position > 0 && text[position - 1] === '\n';
  const newline = text.indexOf('\n', position);
  const at = isAtStart ? position : newline === -1 ? text.length : newline + 1;
  const before = text.slice(0, at);
  const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
  return `${before}${gap}${lines.map((line) => line + lineEnd).join('')}${text.slice(at)}`;
}

/** Inserts an entry before the closing brace of a map. */
function insertInBraces({ text }: Edit, map: YAMLMap, entry: string): string {
  const close = (map.range?.[1] ?? 0) - 1;
  const before = text.slice(0, close).trimEnd();
  const separator = /[{,]$/.test(before) ? ' ' : ', ';
  return `${before}${separator}${entry} ${text.slice(close)}`;
}

function bracesOf(entries: readonly NewEntry[]): string {
  const inner = entries.map(({ key, value }) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{ ${inner.join(', ')} }`;
}

function blockOf(entries: readonly NewEntry[], indent: string): readonly string[] {
  return entries.flatMap(({ key, value }) => [
    `${indent}${yamlText(key)}:`,
    ...linesOf(value).map((line) => `${indent}  ${line}`),
  ]);
}

/** A map as lines of a block. Lists of texts and the maps in lists are on one line each. */
function linesOf(map: NewEntry['value']): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    if (typeof value === 'string') return [`${key}: ${yamlText(value)}`];
    if (!Array.isArray(value)) {
      return [`${key}:`, ...linesOf(value as NewEntry['value']).map((line) => `  ${line}`)];
    }
    const items = value as readonly YamlValue[];
    if (items.every((item) => typeof item === 'string')) return [`${key}: [${items.join(', ')}]`];
    const flows = items.map((item) => linesOf(item as NewEntry['value']).join(', '));
    return [`${key}:`, ...flows.map((flow) => `  - { ${flow} }`)];
  });
}

/** A text as a scalar on one line. */
export function yamlText(text: string): string {
  const plain = stringify(text, { lineWidth: 0 }).trimEnd();
  return plain.includes('\n') ? JSON.stringify(text) : plain;
}

/** The white space before a node on its line. */
function columnOf(text: string, node: Node): string {
  const start = node.range?.[0] ?? 0;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).replace(/^\uFEFF/, '');
  return /^\s*/.exec(line)?.[0] ?? '';
}

/** The position after the value of an entry, or after its key if it has no value. */
function endOf({ key, value }: Pair<Node, Node | null>): number {
  return Math.max(key.range?.[1] ?? 0, lastEnd(value));
}

/** The end of the last character of a value, without the comments and the empty lines after it. */
function lastEnd(value: Node | null): number {
  if (value === null) return 0;
  if (isMap(value) && value.flow !== true) {
    const last = (value as unknown as YAMLMap<Node, Node | null>).items.at(-1);
    if (last !== undefined) return endOf(last);
  }
  if (isSeq(value) && value.flow !== true) {
    const last = value.items.at(-1) as Node | null | undefined;
    if (last) return lastEnd(last);
  }
  return value.range?.[1] ?? 0;
}

/** The names of the panels in a file that is written for the first time. */
const panelNames: Readonly<Record<PanelCode, string>> = {
  LID: 'Panel líder',
  GEN: 'Panel general',
  LIDGEN: 'Paneles líder y general',
  BONOS: 'Bonos argentinos',
  BON: 'Bonos argentinos (alias de BONOS)',
  ETF: 'ETF internacionales',
  ADR: 'ADR internacionales',
  ADRARG: 'ADR de empresas argentinas',
  VARIAS: 'Acciones internacionales varias',
  CED: 'CEDEAR',
  IND: 'Índices, tipos de cambio y tasas',
};

/**
 * A `panels.yaml` whose panels have these members. A panel has the rows that name it where that gives the
 * same order, and otherwise a list of its members.
 *
 * @param order all tickers, in the order of their rows
 */
export function panelsText(
  panels: ReadonlyMap<PanelCode, readonly string[]>,
  order: readonly string[],
): string {
  const position = new Map(order.map((ticker, index) => [ticker, index]));
  const members = (code: PanelCode): readonly string[] =>
    (panels.get(code) ?? []).filter((ticker) => position.has(ticker));
  const rowsOf = (code: PanelCode): readonly string[] =>
    members(code).toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
  const ruleOf = (code: PanelCode): string => {
    if (code === 'BON') return ', aliasOf: BONOS';
    const own = members(code);
    const both = [...new Set([...members('LID'), ...members('GEN')])];
    if (code === 'LIDGEN' && areEqual(own, both)) return ', of: [LID, GEN]';
    if (own.length === 0 || areEqual(own, rowsOf(code))) return '';
    return `, members: [${own.map(inFlow).join(', ')}]`;
  };
  return panelCodes
    .map((code) => `${code}: { name: ${inFlow(panelNames[code])}${ruleOf(code)} }\n`)
    .join('');
}

/** A text within braces, where a comma ends it. */
function inFlow(text: string): string {
  return /[,[\]{}]/.test(text) ? JSON.stringify(text) : yamlText(text);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** A row to append: its cells by column. An absent cell is empty. */
type NewRow<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/**
 * Appends rows to the text of a CSV file, in its delimiter, line ends and order of columns. A column that
 * the file lacks and a row needs is added at the end of the first line. All other lines stay as they are: a
 * row may end before optional columns.
 *
 * @param text with a header, as it is in the file
 * @param optional the columns that a row need not have
 */
export function appendRows<Column extends string>(
  text: string,
  rows: readonly NewRow<Column>[],
  optional: ReadonlySet<Column>,
): string {
  if (rows.length === 0) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const delimiter = delimiterOf(text.replace(/^\uFEFF/, ''));
  const { start, end } = headerOf(text);
  const header = text.slice(start, end);
  const columns = columnsOf(header, delimiter);
  const added = [...optional].filter(
    (column) => !columns.includes(column) && rows.some((row) => (row[column] ?? '') !== ''),
  );
  const all = [...columns, ...added];
  const lines = rows.map((row) => lineOf(row, all, { delimiter, optional }));
  const before = `${text.slice(0, end)}${added.map((column) => delimiter + column).join('')}${text.slice(end)}`;
  const gap = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${gap}${lines.map((line) => line + lineEnd).join('')}`;
}

/** The first line that is not empty, without its end. */
function headerOf(text: string): { readonly start: number; readonly end: number } {
  const found = /[^\s\uFEFF].*/.exec(text);
  if (found === null) throw new Error('the file has no header');
  const line = found[0].replace(/\r$/, '');
  return { start: found.index, end: found.index + line.length };
}

function columnsOf(header: string, delimiter: string): readonly string[] {
  const [cells = []] = Papa.parse<string[]>(header, { delimiter }).data;
  return cells.map((cell) => cell.trim().toLowerCase());
}

function lineOf(
  row: Readonly<Record<string, string | undefined>>,
  columns: readonly string[],
  { delimiter, optional }: { readonly delimiter: string; readonly optional: ReadonlySet<string> },
): string {
  const cells = columns.map((column) => row[column] ?? '');
  while (cells.at(-1) === '' && optional.has(columns[cells.length - 1] ?? '')) cells.pop();
  return Papa.unparse([cells], { delimiter });
}
