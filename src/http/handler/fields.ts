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

/** Of a few constants each: names of request fields, separated by commas. */
type Names = string | undefined;

/**
 * The `Vary` fields of a listener's responses: the request fields that one answer depends on, and
 * those that every response depends on, in one line (RFC 9110 12.5.5).
 */
export class VaryFields {
  readonly #known = new Map<Names, Map<Names, Fields>>();

  on(own: Names, always: Names): Fields {
    const others = this.#known.getOrInsertComputed(own, () => new Map<Names, Fields>());
    return others.getOrInsertComputed(always, () => {
      const names = [own, always].filter((one) => one !== undefined).join(', ');
      return names === '' ? Fields.none : Fields.of({ vary: names });
    });
  }
}

/**
 * The fields of every response. Quotes are for the holder of a key (`private`) and change at any
 * moment, so a cache must revalidate before it uses one again (`no-cache`). Except for the pages of the
 * playground, which replace these fields, no response is a page: a browser that is made to show one as
 * a page may do nothing with it.
 */
export const standingFields = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * The fields of every response to a request whose path has the prefix of keys, errors included. The URL
 * is a secret: no cache stores the response (RFC 6750 2.3), no page that shows it names the URL as its
 * referrer, and no search engine that finds the URL lists it.
 */
export const urlKeyFields = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;
