import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { yamlExcess } from '../../lib/text/yaml-excess.ts';
import { listed, type Located, type UniverseFault, type FileText } from './universe-fault.ts';

/** A key of a map with its value. */
export interface YamlEntry {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node | null;
}

const shownCharsMax = 60;

/**
 * A YAML file that is read node by node, so that every fault has a line and a column. Every scalar
 * is read as the text in the file (the "failsafe" schema of YAML 1.2): a ticker `NO`, a date or a
 * time is never converted.
 *
 * The methods return the valid part, or undefined, and record a fault for the rest.
 */
export class YamlFile {
  readonly file: string;
  readonly root: Node | null;
  readonly faults: UniverseFault[] = [];
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(source: FileText) {
    this.file = source.file;
    this.#text = source.text;
    const excess = yamlExcess(source.text);
    this.#document = parseDocument(excess === undefined ? source.text : '', {
      schema: 'failsafe',
      lineCounter: this.#lines,
      prettyErrors: false,
    });
    let isBroken = excess !== undefined;
    for (const { code, message, pos } of this.#document.errors) {
      // After a duplicate key, the rest of the document is reliable. After other errors it is not.
      if (code !== 'DUPLICATE_KEY') isBroken = true;
      this.#faultAt(pos[0], code === 'DUPLICATE_KEY' ? 'duplicate key' : message);
    }
    if (excess !== undefined) {
      const { line, column, message } = excess;
      this.faults.push({ file: this.file, line, column, value: '', message });
    }
    this.root = isBroken ? null : this.#document.contents;
    if (this.root === null && !isBroken) this.#faultAt(0, 'the file is empty');
  }

  /** Whether the file could be parsed. If not, its faults give the reason. */
  get isReadable(): boolean {
    return this.root !== null;
  }

  /** Records a fault at a node, or at the start of the file without a node. */
  fault(node: Node | null, message: string, value = this.#shown(node)): void {
    this.faults.push({ file: this.file, ...this.#placeOf(node), value, message });
  }

  /** The text of a node with its position. */
  located(node: Node, value: string): Located {
    return { value, ...this.#placeOf(node) };
  }

  /** The entries of a map. Records a fault and returns none when the node is not a map. */
  entries(node: Node | null, what: string): readonly YamlEntry[] {
    const map = this.#resolved(node);
    if (!isMap(map)) {
      this.fault(node, `${what} must be a map of keys and values`);
      return [];
    }
    const entries: YamlEntry[] = [];
    for (const { key, value } of map.items) {
      const keyNode = key as Node;
      const text = this.text(keyNode, 'a key');
      if (text !== undefined) entries.push({ key: text, keyNode, value: value as Node | null });
    }
    return entries;
  }

  /** The fields of a map. Unknown keys and missing required keys are faults. */
  fields(
    node: Node | null,
    what: string,
    keys: { readonly required: readonly string[]; readonly optional?: readonly string[] },
  ): ReadonlyMap<string, YamlEntry> {
    const valid = [...keys.required, ...(keys.optional ?? [])];
    const fields = new Map<string, YamlEntry>();
    for (const entry of this.entries(node, what)) {
      if (valid.includes(entry.key)) fields.set(entry.key, entry);
      else this.fault(entry.keyNode, `unknown key in ${what}; its keys are ${listed(valid)}`);
    }
    const missing = keys.required.filter((key) => !fields.has(key));
    if (this.isMap(node) && missing.length > 0) {
      this.fault(node, `${what} requires ${listed(missing)}`, '');
    }
    return fields;
  }

  /** The items of a list. Records a fault when the node is not a list or the list is empty. */
  items(node: Node | null, what: string): readonly Node[] {
    const list = this.#resolved(node);
    if (isSeq(list) && list.items.length > 0) return list.items as Node[];
    this.fault(node, `${what} must be a list with at least one item`);
    return [];
  }

  /** The items of a list that may be empty. */
  itemsIfAny(node: Node | null, what: string): readonly Node[] {
    const list = this.#resolved(node);
    return isSeq(list) && list.items.length === 0 ? [] : this.items(node, what);
  }

  /** Whether a node is a map. Records no fault. */
  isMap(node: Node | null): boolean {
    return isMap(this.#resolved(node));
  }

  /** The node of a key of a map; null without one. */
  keyIn(node: Node | null, name: string): Node | null {
    return (this.#pairIn(node, name)?.key ?? null) as Node | null;
  }

  /** The value of a key of a map; null without one. */
  valueIn(node: Node | null, name: string): Node | null {
    return (this.#pairIn(node, name)?.value ?? null) as Node | null;
  }

  /**
   * The text of a scalar. Records a fault and returns undefined when there is none or it is empty.
   */
  text(node: Node | null, what: string): string | undefined {
    const scalar = this.#resolved(node);
    const value = isScalar(scalar) ? scalar.value : undefined;
    if (typeof value === 'string' && value !== '') return value;
    this.fault(node, `${what} must be a text`);
    return undefined;
  }

  #pairIn(node: Node | null, name: string): Pair | undefined {
    const map = this.#resolved(node);
    if (!isMap(map)) return undefined;
    return map.items.find(({ key }) => isScalar(key) && key.value === name);
  }

  #resolved(node: Node | null): Node | undefined {
    return isAlias(node) ? node.resolve(this.#document) : (node ?? undefined);
  }

  #shown(node: Node | null): string {
    if (isScalar(node)) return String(node.value);
    const [start, end] = node?.range ?? [0, 0];
    const text = this.#text.slice(start, Math.min(end, start + shownCharsMax));
    return text.split('\n', 1)[0] ?? '';
  }

  #faultAt(offset: number, message: string): void {
    const line = this.#text.slice(offset, offset + shownCharsMax).split('\n', 1)[0] ?? '';
    this.faults.push({ file: this.file, ...this.#place(offset), value: line.trim(), message });
  }

  #placeOf(node: Node | null): { readonly line: number; readonly column: number } {
    const [start] = node?.range ?? [0];
    return this.#place(start);
  }

  #place(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}
