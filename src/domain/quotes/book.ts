import { bookFieldNames, type BookField } from './quote-fields.ts';

/**
 * What a session shows beside its prices: the best bid and ask with their sizes, and what has been
 * traded so far. Clients get a field of it only if they request it (contract 2.7).
 */
export interface Book extends Readonly<Partial<Record<BookField, number | undefined>>> {
  /** The instant of the latest report about the book, in epoch milliseconds. Not shown. */
  readonly at: number;
}

/** Whether two books show the same. Their instants may differ. */
export function showsSameBook(a: Book | undefined, b: Book | undefined): boolean {
  return a === b || bookFieldNames.every((field) => a?.[field] === b?.[field]);
}
