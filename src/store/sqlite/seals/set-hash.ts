import type { KeyEvent } from '../../../domain/access/key-change.ts';
import type { KeyRow } from '../../encoding/key-row.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import { addHash, hashNumbers, hashText } from './row-hash.ts';

/** A row of `changes`: id, instant, origin. */
export type ChangeRow = readonly [id: number, at: number, origin: string];

/** The seal of a row of `changes`. */
export function sealOfChange([id, at, origin]: ChangeRow): number {
  return hashNumbers(id, at, hashText(origin));
}

/** The hash of a key, without its last use: that is stored often, and loses nothing that matters. */
export function hashOfKey(row: KeyRow): number {
  return hashOfValues(row.slice(0, -1));
}

/** A line of the audit log: instant, who, what, id of the key, detail. */
export type EventRow = readonly [number, string, KeyEvent['what'], string, string];

/** The hash of a line of the audit log. */
export function hashOfEvent(row: EventRow): number {
  return hashOfValues(row);
}

/**
 * The seal of the row of a quote. A restore raises all versions by one number, so the version is added to the
 * hash of the rest.
 */
export function sealOfQuote([ticker, version, state, bar]: QuoteRow): number {
  const texts = hashText(state, hashText(ticker));
  return addHash(bar === null ? texts : hashText(bar, texts), version % 2 ** 32);
}

function hashOfValues(values: readonly unknown[]): number {
  // SQLite stores the replacement character for half of a surrogate pair.
  const text = JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  return hashText(text);
}
