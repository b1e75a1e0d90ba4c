/** Maximum number of characters of a client's own text that an error text repeats. */
export const echoedCharactersMax = 80;

/**
 * Makes a client's text safe to repeat in an error text. Long texts are truncated. Control, format
 * and bidirectional characters are escaped, so that no terminal or log viewer interprets them.
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
