/** How many tickers the header names before it only counts. Source: decisions row 4. */
export const missingNamesMax = 50;

/**
 * How many bytes the names may take. Fifty tickers of the longest kind fit; what does not is
 * nonsense that a client sent, and a header block beyond 16 KiB would be refused by many clients.
 */
export const missingHeaderBytesMax = 4096;

/**
 * The value of the `Missing-Especies` header: percent-encoded, comma-separated, and `…+N` for those
 * that are not named. The ellipsis is percent-encoded too (`%E2%80%A6+N`), because a header value
 * is ASCII (RFC 9110 5.5); the plus is not, so that decoding gives `…+N`.
 *
 * @param missing the tickers, at least one.
 */
export function missingHeader(missing: readonly string[]): string {
  const named: string[] = [];
  let bytes = 0;
  for (const name of missing.slice(0, missingNamesMax)) {
    const encoded = encodeURIComponent(name);
    bytes += encoded.length + 1;
    if (bytes > missingHeaderBytesMax) break;
    named.push(encoded);
  }
  const unnamed = missing.length - named.length;
  if (unnamed > 0) named.push(`${encodeURIComponent('…')}+${unnamed}`);
  return named.join(',');
}
