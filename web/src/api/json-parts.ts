/** A part of a JSON text with one colour. */
export interface JsonPart {
  readonly kind: 'name' | 'string' | 'number' | 'literal' | 'mark';
  readonly text: string;
}

/** Splits a JSON text into its parts. The parts joined are the text, also if it is cut. */
export function jsonParts(text: string): readonly JsonPart[] {
  const tokens =
    /(?<string>"(?:[^"\\]|\\.)*"?)(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|(?<literal>true|false|null)/gs;
  const parts: JsonPart[] = [];
  let end = 0;
  for (const found of text.matchAll(tokens)) {
    const { string, colon, number } = found.groups ?? {};
    if (found.index > end) parts.push({ kind: 'mark', text: text.slice(end, found.index) });
    if (string !== undefined) {
      parts.push({ kind: colon === undefined ? 'string' : 'name', text: string });
      if (colon !== undefined) parts.push({ kind: 'mark', text: colon });
    } else parts.push({ kind: number === undefined ? 'literal' : 'number', text: found[0] });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ kind: 'mark', text: text.slice(end) });
  return parts;
}
