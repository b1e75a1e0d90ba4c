/** How many characters of a client's own text an error repeats. */
export const echoedCharactersMax = 80;

/**
 * A client's text as an error may repeat it: long ones are cut, and what a terminal or a log viewer
 * would act upon rather than show (control, format and bidirectional characters) is escaped.
 */
export function echo(text: string): string {
  const characters = Array.from(text);
  const shown = characters.slice(0, echoedCharactersMax).join('');
  const safe = shown.replaceAll(/[\p{C}\u2028\u2029]/gu, escapeCharacter);
  return characters.length > echoedCharactersMax ? `${safe}…` : safe;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
