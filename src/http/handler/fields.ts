/**
 * Header fields of a response, in order. Fields that many responses share are built once: the lines of
 * an HTTP/1.1 head are made at the first use and kept.
 */
export class Fields {
  static readonly none = new Fields([]);

  /** Names in lower case, and values, in turn. */
  readonly list: readonly string[];
  #lines: string | undefined;

  constructor(list: readonly string[]) {
    this.list = list;
  }

  static of(fields: Readonly<Record<string, string>>): Fields {
    return new Fields(Object.entries(fields).flat());
  }

  /** The fields as lines of a head, each with its line end. */
  get lines(): string {
    return (this.#lines ??= linesOf(this.list));
  }
}

/** The text is joined once. A text built with `+=` stays a tree that every write has to walk. */
function linesOf(list: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < list.length; at += 2) lines.push(`${list[at]}: ${list[at + 1]}\r\n`);
  return lines.join('');
}
