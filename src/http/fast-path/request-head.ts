/** The head of a request that has nothing but a head. */
export interface RequestHead {
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** By lower-case names; each was there once. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A GET of HTTP/1.1 in origin form, with headers of plain ASCII, and nothing after it. */
const plainGet =
  /^GET (\/[\w\-.~%,&=+:/@!$'()*;?]*) HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+)\r\n$/;

/** Headers that say that there is more to a request, or to its connection, than a head. */
const framing: readonly string[] = [
  'content-length',
  'expect',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Reads the head of a request, if it is the plainest there is: the whole of one GET, every byte of it
 * beyond doubt. Of everything else it says nothing; that is for a real parser to read or to refuse.
 * So nothing is accepted here that would not be accepted, with the same meaning, there.
 *
 * Source: RFC 9112 3, 5 and 6.
 */
export function readPlainGet(text: string): RequestHead | undefined {
  const [, target, lines] = plainGet.exec(text) ?? [];
  if (target === undefined || lines === undefined) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < lines.length;) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    // What two of a name mean together differs from name to name.
    if (name in headers) return undefined;
    headers[name] = lines.slice(colon + 1, end).trim();
    at = end + 2;
  }
  if (headers['host'] === undefined || framing.some((name) => name in headers)) return undefined;
  const { connection } = headers;
  const isKept = connection === undefined || connection.toLowerCase() === 'keep-alive';
  return isKept ? { target, headers } : undefined;
}
