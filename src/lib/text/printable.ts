/**
 * Characters that a terminal interprets instead of displaying: the C0 and C1 control characters and
 * DEL (escape sequences start with one of them), line and paragraph separators, and the marks that
 * change the text direction.
 */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** An unsafe character in a line of JSON, as an escape or as the character itself. */
const unsafeInJson =
  /\\(?:u(?:00[01][0-9a-f]|007f|00[89][0-9a-f]|061c|200[ef]|202[89a-e]|206[6-9])|[bfr])|\\.|[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gi;

/**
 * Makes an untrusted text (a file's name, a heading, a key's name) safe to print on one line of a
 * terminal. Unsafe characters are escaped as in JSON, such as `\u001b` for ESC. Accented letters and
 * other scripts are unchanged.
 */
export function printable(text: string): string {
  return text.replaceAll(unsafe, escaped);
}

/** As {@link printable}, but line feeds stay. JSON remains JSON with the same value. */
export function printableLines(text: string): string {
  return text.replaceAll(unsafe, (character) => (character === '\n' ? '\n' : escaped(character)));
}

/**
 * Escapes a line of JSON for a reader that parses it and prints its strings on a terminal. The parsed
 * strings are {@link printable}.
 */
export function printableJson(line: string): string {
  return line.replaceAll(unsafeInJson, (found) => {
    if (!found.startsWith('\\')) return `\\${escaped(found)}`;
    return /^\\[ubfr]/i.test(found) && found !== String.raw`\u000a` ? `\\${found}` : found;
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
