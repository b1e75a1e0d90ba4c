import type { QuoteRow } from '../../encoding/quote-row.ts';
import { addHash, hashNumbers, hashText } from './row-hash.ts';

/** A row of `changes`: id, instant, origin. */
export type ChangeRow = readonly [id: number, at: number, origin: string];

/** The seal of a row of `changes`. */
export function sealOfChange([id, at, origin]: ChangeRow): number {
  return hashNumbers(id, at, hashText(origin));
}

/**
 * The seal of the row of a quote. A restore raises all versions by one number, so the version is added to the
 * hash of the rest.
 */
export function sealOfQuote([ticker, version, state, bar]: QuoteRow): number {
  const texts = hashText(state, hashText(ticker));
  return addHash(bar === null ? texts : hashText(bar, texts), version % 2 ** 32);
}
