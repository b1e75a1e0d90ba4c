/**
 * What a session shows beside its prices: the best bid and ask with their sizes, and what has been
 * traded so far. Clients get a field of it only if they request it (contract 2.7).
 */
export interface Book extends Readonly<Partial<Record<BookField, number | undefined>>> {
  /** The instant of the latest report about the book, in epoch milliseconds. Not shown. */
  readonly at: number;
}

/**
 * The fields of a book.
 *
 * - `bid`, `ask`: the best price of the buyers and of the sellers.
 * - `bidSize`, `askSize`: the nominal quantity at that price.
 * - `amount`: the money traded in the session so far, in the currency of the instrument.
 * - `trades`: the number of trades of the session so far.
 */
export const bookFields = ['bid', 'ask', 'bidSize', 'askSize', 'amount', 'trades'] as const;

/** One of {@link bookFields}. */
export type BookField = (typeof bookFields)[number];

/** Whether two books show the same. Their instants may differ. */
export function showsSameBook(a: Book | undefined, b: Book | undefined): boolean {
  return a === b || bookFields.every((field) => a?.[field] === b?.[field]);
}
