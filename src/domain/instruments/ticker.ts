/** The name of an instrument, in the spelling of the universe. */
export type Ticker = string & { readonly __brand: 'Ticker' };

/**
 * The normalised spelling of a ticker, equal for all its spellings: trimmed, with runs of white
 * space folded to one space, in upper case (contract 2.5.2).
 */
export type TickerKey = string & { readonly __brand: 'TickerKey' };

/** Maximum length of a ticker in a universe. The longest ticker of the default universe has 20. */
export const tickerLengthMax = 40;

const wellFormed = /^[\p{L}\p{N}][\p{L}\p{N} ._/&^=+-]*$/u;

/** Trims a ticker and folds each run of white space to one space. */
export function foldTicker(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

/** The key under which all spellings of a ticker are found. */
export function tickerKey(text: string): TickerKey {
  return foldTicker(text).toUpperCase() as TickerKey;
}

/** What precedes the letter of a class of shares, and a suffix behind it. */
const beforeClass = /(?<=[\p{L}\p{N}])[./-](?=\p{L}(?:_US)?$)/u;

/** The keys of a ticker with another sign before the letter of its class: `BRK-B` and `BRK/B` of `BRK.B`. */
export function otherClassKeys(ticker: Ticker): readonly TickerKey[] {
  const key = tickerKey(ticker);
  if (!beforeClass.test(key)) return [];
  const spellings = ['.', '-', '/'].map((sign) => key.replace(beforeClass, sign) as TickerKey);
  return spellings.filter((one) => one !== key);
}

/**
 * Parses a canonical ticker. Returns undefined for a text that is empty, too long, has leading,
 * trailing or repeated white space, or has a character that a comma-separated list cannot carry.
 */
export function parseTicker(text: string): Ticker | undefined {
  if (text !== foldTicker(text) || text.length > tickerLengthMax) return undefined;
  return wellFormed.test(text) ? (text as Ticker) : undefined;
}
