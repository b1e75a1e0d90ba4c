/**
 * The source of a close has one of these forms:
 *
 * - `data912`: fetched from the feed of this name in the configuration;
 * - `session:data912`: of a session that the service has recorded, with the source in use at its
 *   end; `session` alone for a derived instrument, or where that source is not known;
 * - `import:prices.csv`: of an imported file;
 * - `confirmed:data912`: of `data912`, and the operator has confirmed it against prices that contradict it.
 *
 * The name of a feed contains no colon, so the forms are distinct.
 */

/** Maximum length of a source, in code points. */
export const sourceCharsMax = 200;

/** Starts with a letter or a digit, so that no spreadsheet runs it as a formula. */
const validSource = /^[\p{L}\p{N}][^\p{C}\p{Zl}\p{Zp}]*$/u;

/** Control characters, line ends and characters that cannot be displayed. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The source of the closes of the service's own sessions. */
export function sessionSource(feed: string | undefined): string {
  return feed === undefined ? 'session' : `session:${feed}`;
}

/** The source of the closes of an imported file. */
export function importSource(fileName: string): string {
  return withinLimit(`import:${fileName.replaceAll(unsafe, '?')}`);
}

function withinLimit(source: string): string {
  return Array.from(source).slice(0, sourceCharsMax).join('').trimEnd();
}

const confirmedPrefix = 'confirmed:';

/** The source of a close that the operator has confirmed. */
export function confirmedSource(source: string | undefined): string {
  if (source === undefined) return 'confirmed';
  return isConfirmedSource(source) ? source : withinLimit(`${confirmedPrefix}${source}`);
}

/** Whether a source is that of a close that the operator has confirmed. */
export function isConfirmedSource(source: string | undefined): boolean {
  return source === 'confirmed' || source?.startsWith(confirmedPrefix) === true;
}

/** Whether a text can be the source of a close. */
export function isCloseSource(text: string): boolean {
  return validSource.test(text) && Array.from(text).length <= sourceCharsMax;
}
