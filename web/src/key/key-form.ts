/**
 * Whether a text can be sent as a key. A key is printable ASCII without spaces. A browser refuses
 * to put other characters into a header, and the request would look like a lost connection. Only
 * the service decides whether the key is valid.
 */
export function canBeKey(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

/**
 * The key in the fragment of a link (`#key=pz_…`), which the service prints at its first start.
 * Undefined if the fragment has no key. Empty if nothing follows the `=`.
 */
export function keyInFragment(hash: string): string | undefined {
  const found = /^#key=(.*)$/s.exec(hash);
  if (found === null) return undefined;
  const text = (found[1] ?? '').trim();
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
