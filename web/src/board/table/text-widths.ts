/** The width of a formatted value in digits, rounded up. All digits have the same width. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += narrow.has(character) ? 0.5 : /\p{Lu}/u.test(character) ? 1.2 : 1;
  }
  return Math.ceil(width);
}

/** Characters that are at most half as wide as a digit. */
const narrow: ReadonlySet<string> = new Set(['.', ',', ':', '/', '\u00a0']);
