/**
 * A line of the history of a database. A physical copy of a server has the same `system`, and a server that is
 * promoted begins a higher `timeline`. So of two servers that both accept writes, the one with the lower timeline
 * lacks what was written since the promotion of the other one.
 */
export interface Line {
  /** The system identifier of PostgreSQL: a number of 64 bits, as text. */
  readonly system: string;
  readonly timeline: number;
}

/** A line, and the lines that it replaces by an order of the operator. */
export interface Lineage {
  readonly line: Line;
  readonly insteadOf: readonly Line[];
}

/** How a server compares with what is known. `older`: an old line of the same database. `other`: another database. */
export type LineageVerdict = 'current' | 'older' | 'other';

/** Whether a server may be used by a node that knows the lineage `known`. */
export function judgeLineage(server: Lineage, known: Lineage | undefined): LineageVerdict {
  if (known === undefined || covers(server.insteadOf, known.line)) return 'current';
  if (covers(known.insteadOf, server.line)) return 'older';
  if (server.line.system !== known.line.system) return 'other';
  return server.line.timeline < known.line.timeline ? 'older' : 'current';
}

/** Replacing a line replaces the earlier timelines of its system, too. */
function covers(lines: readonly Line[], { system, timeline }: Line): boolean {
  return lines.some((one) => one.system === system && timeline <= one.timeline);
}

/** The text of a line, such as `7391234567890123456/2`. */
export function lineText({ system, timeline }: Line): string {
  return `${system}/${timeline}`;
}

/** The line of a text. Undefined if the text has another form. */
export function parseLine(text: string): Line | undefined {
  const [, system, timeline] = /^(\d{1,20})\/([1-9]\d{0,9})$/.exec(text.trim()) ?? [];
  if (system === undefined || timeline === undefined) return undefined;
  return { system, timeline: Number(timeline) };
}

/** The text of a lineage: its line, then the lines that it replaces, separated by commas. */
export function lineageText({ line, insteadOf }: Lineage): string {
  return [line, ...insteadOf].map(lineText).join(', ');
}

/** The lineage of a text. Undefined if the text has another form. */
export function parseLineage(text: string): Lineage | undefined {
  const [line, ...insteadOf] = text.split(',').map(parseLine);
  if (line === undefined || insteadOf.includes(undefined)) return undefined;
  return { line, insteadOf: insteadOf.filter((one) => one !== undefined) };
}

/**
 * The highest lineage that a process knows: of the servers to which it has connected, and of the nodes that it has
 * asked. It is never replaced by an older one, nor by another database that does not replace it.
 */
export class KnownLineage {
  #current: Lineage | undefined;
  readonly #subscribers = new Set<(current: Lineage) => void>();

  get current(): Lineage | undefined {
    return this.#current;
  }

  /** Adopts a lineage if it is current. Returns how it compares with what was known. */
  meet(lineage: Lineage): LineageVerdict {
    const verdict = judgeLineage(lineage, this.#current);
    if (verdict === 'current' && !this.#isKnown(lineage)) {
      this.#current = lineage;
      for (const onChange of this.#subscribers) onChange(lineage);
    }
    return verdict;
  }

  /** Calls `onChange` whenever a higher lineage is known, until the subscription is disposed. */
  subscribe(onChange: (current: Lineage) => void): Disposable {
    this.#subscribers.add(onChange);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onChange) };
  }

  #isKnown(lineage: Lineage): boolean {
    return this.#current !== undefined && lineageText(this.#current) === lineageText(lineage);
  }
}
