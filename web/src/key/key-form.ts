/**
 * Whether a text can be sent as a key at all. A key is printable ASCII without spaces: a browser
 * refuses to put anything else into a header, and the request would look like a lost connection.
 * Whether the key is valid is for the service to say.
 */
export function canBeKey(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

/**
 * The key that a link carries in its fragment (`#key=pz_…`), which is what the service prints at its
 * first start. Undefined for a fragment that carries none; empty when the part after `=` is empty.
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
