/** The name of an instrument, in the spelling of the universe. */
export type Ticker = string & { readonly __brand: 'Ticker' };

/**
 * What two spellings of one ticker have in common: trimmed, runs of white space folded to one
 * space, without regard to case.
 *
 * Source: decisions row 5.
 */
export type TickerKey = string & { readonly __brand: 'TickerKey' };

/** Longest ticker that a universe may name; the longest of the default universe has 20. */
export const tickerLengthMax = 40;

const wellFormed = /^[\p{L}\p{N}][\p{L}\p{N} ._/&^=+-]*$/u;

/** A spelling without the white space that carries no meaning. */
export function foldTicker(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

/** The key under which every spelling of a ticker is found. */
export function tickerKey(text: string): TickerKey {
  return foldTicker(text).toUpperCase() as TickerKey;
}

/**
 * The canonical ticker that a text is, or undefined when it is no ticker: empty, too long, with
 * white space around or doubled, or with a character that a list could not carry (a comma).
 */
export function parseTicker(text: string): Ticker | undefined {
  if (text !== foldTicker(text) || text.length > tickerLengthMax) return undefined;
  return wellFormed.test(text) ? (text as Ticker) : undefined;
}
