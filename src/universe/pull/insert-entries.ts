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

/** An entry of a map: a key with the lines of its value. */
export interface NewEntry {
  readonly key: string;
  /** The value as plain data, for a map that is written in braces. */
  readonly value: object;
  /** The value as lines of a block, without indentation. */
  readonly lines: readonly string[];
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
  return entries.flatMap(({ key, lines }) => [
    `${indent}${yamlText(key)}:`,
    ...lines.map((line) => `${indent}  ${line}`),
  ]);
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
