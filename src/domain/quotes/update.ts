import type { FollowedQuote } from './followed-quote.ts';
import type { bookFields, plainFields } from './quote-fields.ts';
import type { Ticker } from '../instruments/ticker.ts';

/**
 * What a source reports about one instrument at one instant. All fields but the ticker and the
 * instant are optional. An absent field means that the source did not report it, never zero.
 */
export interface Update extends Numbers<typeof plainFields>, Numbers<typeof bookFields> {
  readonly ticker: Ticker;
  /** The instant that the source reports, in epoch milliseconds. */
  readonly at: number;
  /** Present if the update is a whole quote of another service. */
  readonly followed?: FollowedQuote;
}

type Numbers<Fields> = { readonly [Field in keyof Fields]?: number };

/**
 * Whether an update has a field of the book. The fields are listed, because iterating over them for every
 * update would cost more.
 */
export function hasBook(update: Update): boolean {
  return (
    update.bid !== undefined ||
    update.ask !== undefined ||
    update.bidSize !== undefined ||
    update.askSize !== undefined ||
    update.amount !== undefined ||
    update.trades !== undefined
  );
}

/** Whether an update has a field that every client gets: a price or the volume. As {@link hasBook}. */
export function hasPrices(update: Update): boolean {
  return (
    update.last !== undefined ||
    update.open !== undefined ||
    update.high !== undefined ||
    update.low !== undefined ||
    update.previousClose !== undefined ||
    update.close !== undefined ||
    update.volume !== undefined
  );
}
