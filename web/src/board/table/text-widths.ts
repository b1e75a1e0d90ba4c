/** The width of a formatted value in digits, rounded up to a half. All digits have the same width. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += narrow.has(character) ? 0.5 : /\p{Lu}/u.test(character) ? 1.2 : 1;
  }
  return Math.ceil(width * 2) / 2;
}

/** Characters that are about half as wide as a digit: marks, and the "t" of "pts". */
const narrow: ReadonlySet<string> = new Set(['.', ',', ':', '/', '\u00a0', 't']);
