/**
 * What a terminal would act on instead of showing it: the C0 and C1 control characters and DEL
 * (escape sequences begin with one of them), line and paragraph separators, and the marks that change
 * the direction of the text around them.
 */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What of a line of JSON stands for one of these: an escape, or the character itself. */
const unsafeInJson =
  /\\(?:u(?:00[01][0-9a-f]|007f|00[89][0-9a-f]|061c|200[ef]|202[89a-e]|206[6-9])|[bfr])|\\.|[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gi;

/**
 * A text from outside (a file's name, a heading, a key's name) for a terminal, on one line: characters
 * that a terminal would act on are shown as in JSON, `\u001b` for ESC. Letters with accents and all
 * other scripts stay as they are.
 */
export function printable(text: string): string {
  return text.replaceAll(unsafe, escaped);
}

/** As {@link printable}, for a text of several lines: line feeds stay. Of JSON it gives equal JSON. */
export function printableLines(text: string): string {
  return text.replaceAll(unsafe, (character) => (character === '\n' ? '\n' : escaped(character)));
}

/**
 * A line of JSON whose texts, once parsed, are {@link printable} lines: for a reader that parses it and
 * prints the texts on a terminal.
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
