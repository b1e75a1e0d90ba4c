import { bookFieldNames, type BookField } from '../../domain/quotes/quote-fields.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { isNone } from './as-record.ts';

/** The book of an update. */
export type BookOfUpdate = Pick<Update, BookField>;

/** The fields of an update that belong to the book. Undefined when it has none. */
export function bookOf(update: Update): BookOfUpdate | undefined {
  const reported = bookFieldNames.filter((field) => update[field] !== undefined);
  if (reported.length === 0) return undefined;
  return Object.fromEntries(reported.map((field) => [field, update[field]]));
}

/** An update without its book. */
export function withoutBook(update: Update): Update {
  const prices = Object.entries(update).filter(([field]) => !isBookField.has(field));
  return Object.fromEntries(prices) as unknown as Update;
}

const isBookField: ReadonlySet<string> = new Set(bookFieldNames);

/** Whether two books report the same. */
export function isSameReport(a: BookOfUpdate | undefined, b: BookOfUpdate | undefined): boolean {
  return bookFieldNames.every((field) => Object.is(a?.[field], b?.[field]));
}

/**
 * Two reports as one. A size does not apply to the price of a later report, and a side without orders
 * stays so until a price is reported.
 */
export function mergedBook(earlier: BookOfUpdate, next: BookOfUpdate): BookOfUpdate {
  const { bid, bidSize, ask, askSize, ...totals } = earlier;
  const heldBid = { ...(bid !== undefined && { bid }), ...(bidSize !== undefined && { bidSize }) };
  const heldAsk = { ...(ask !== undefined && { ask }), ...(askSize !== undefined && { askSize }) };
  return {
    ...totals,
    ...(next.bid === undefined && next.bidSize !== 0 ? heldBid : {}),
    ...(next.ask === undefined && next.askSize !== 0 ? heldAsk : {}),
    ...next,
    ...(next.bid === undefined && bidSize === 0 ? { bidSize } : {}),
    ...(next.ask === undefined && askSize === 0 ? { askSize } : {}),
  };
}

/**
 * One side of the book of a source: the price, and the size where it is known. Many sources send a
 * price of 0 or null for a side without orders. A side that is missing is not reported. A value of
 * another type is passed on as NaN, which the engine counts as a book that cannot be true.
 */
export function sideOf(side: 'bid' | 'ask', price: unknown, size: unknown): BookOfUpdate {
  const sizeField = `${side}Size` as const;
  if (price === null || price === 0) return { [sizeField]: 0 };
  if (price === undefined) return {};
  const known = isNone(size) || size === 0 ? {} : { [sizeField]: numberOf(size) };
  return { [side]: numberOf(price), ...known };
}

/** An amount or a count of a session so far. Not reported where it is missing. As {@link sideOf}. */
export function totalOf(total: 'amount' | 'trades', value: unknown): BookOfUpdate {
  return isNone(value) ? {} : { [total]: numberOf(value) };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}
