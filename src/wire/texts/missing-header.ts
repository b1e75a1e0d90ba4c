/** Maximum number of tickers that the header names; it counts the others (contract 4.1.5). */
export const missingNamesMax = 50;

/**
 * Maximum size of the names, in bytes. Fifty tickers of maximum length fit. Longer names are not
 * tickers, and many clients refuse headers of more than 16 KiB.
 */
export const missingHeaderBytesMax = 4096;

/**
 * The value of the `Missing-Especies` header (contract 4.1.5): percent-encoded names, separated by
 * commas, then `…+N` for N further ones. A header value is ASCII (RFC 9110 5.5), so the ellipsis is
 * percent-encoded too: `%E2%80%A6+N`. The plus is not, so that decoding gives `…+N`.
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
