import { showsSameBook, type Book } from '../domain/quotes/book.ts';
import { isOfOtherUnit } from '../domain/history/judge/move.ts';
import type { BookField } from '../domain/quotes/quote-fields.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Update } from '../domain/quotes/update.ts';
import type { Complete } from '../domain/values/complete.ts';
import type { RefusalReason } from './plausibility.ts';

/** What an update reports about the book: undefined where it reports nothing, null for unknown. */
interface BookReport extends Readonly<Record<BookField, number | null | undefined>> {
  readonly at: number;
  /** Why a field cannot be true. The field counts as unknown. Absent when all of them can be. */
  readonly refused?: RefusalReason | undefined;
}

/**
 * Reads the book of an update. A field that cannot be true is unknown from then on, rather than
 * staying what it was: it has changed, and nothing shows to what. It never affects the other fields
 * of the update.
 *
 * @param limits.last the believed price that prices of the book are judged by.
 */
export function readBook(
  update: Update,
  limits: { readonly isPrice: boolean; readonly last: number },
): BookReport {
  const { at, bid, ask, bidSize, askSize, amount, trades } = update;
  let refused: RefusalReason | undefined;
  const judge = (
    value: number | undefined,
    faultOf: (value: number) => RefusalReason | undefined,
  ): number | null | undefined => {
    const fault = value === undefined ? undefined : faultOf(value);
    refused ??= fault;
    return fault === undefined ? value : null;
  };
  const priceFault = (price: number): RefusalReason | undefined => faultOfPrice(price, limits);
  return {
    at,
    // Without buyers there is no price to judge.
    bid: bidSize === 0 ? null : judge(bid, priceFault),
    ask: askSize === 0 ? null : judge(ask, priceFault),
    bidSize: judge(bidSize, faultOfQuantity),
    askSize: judge(askSize, faultOfQuantity),
    amount: judge(amount, faultOfQuantity),
    trades: judge(trades, faultOfCount),
    refused,
  };
}

function faultOfPrice(
  price: number,
  { isPrice, last }: { readonly isPrice: boolean; readonly last: number },
): RefusalReason | undefined {
  if (!Number.isFinite(price)) return 'not-finite';
  if (isPrice && price <= 0) return 'not-positive';
  return isPrice && isOfOtherUnit(price, last) ? 'implausible' : undefined;
}

function faultOfQuantity(quantity: number): RefusalReason | undefined {
  if (!Number.isFinite(quantity)) return 'not-finite';
  return quantity < 0 ? 'negative-quantity' : undefined;
}

function faultOfCount(count: number): RefusalReason | undefined {
  return faultOfQuantity(count) ?? (Number.isSafeInteger(count) ? undefined : 'not-whole');
}

/**
 * A session with the book that a report leaves. Returns the same object when the book stays as it is.
 *
 * @param held the book before the report, which may be another one than that of the session.
 */
export function withBook(
  session: LiveSession,
  held: Book | undefined,
  report: BookReport | undefined,
): LiveSession {
  const book = report === undefined ? held : foldBook(held, report);
  return book === session.book ? session : { ...session, book };
}

/**
 * Folds a report into the book of its session. A field that is not reported stays what it was, but for
 * one: the size at a price does not apply to another price. A side of size 0 is empty. A report from
 * before the latest one changes nothing.
 */
function foldBook(held: Book | undefined, report: BookReport): Book {
  if (held !== undefined && report.at < held.at) return held;
  const bid = foldSide(
    { price: held?.bid, size: held?.bidSize },
    { price: report.bid, size: report.bidSize },
  );
  const ask = foldSide(
    { price: held?.ask, size: held?.askSize },
    { price: report.ask, size: report.askSize },
  );
  const folded: Complete<Book> = {
    at: report.at,
    bid: bid.price,
    ask: ask.price,
    bidSize: bid.size,
    askSize: ask.size,
    amount: valueAfter(held?.amount, report.amount),
    trades: valueAfter(held?.trades, report.trades),
  };
  return held?.at === report.at && showsSameBook(held, folded) ? held : folded;
}

interface Side<Value> {
  readonly price: Value;
  readonly size: Value;
}

function foldSide(
  held: Side<number | undefined>,
  report: Side<number | null | undefined>,
): Side<number | undefined> {
  const price = report.size === 0 ? undefined : valueAfter(held.price, report.price);
  if (price === undefined) return { price: undefined, size: undefined };
  const heldSize = price === held.price ? held.size : undefined;
  return { price, size: valueAfter(heldSize, report.size) };
}

function valueAfter(
  held: number | undefined,
  reported: number | null | undefined,
): number | undefined {
  return reported === undefined ? held : (reported ?? undefined);
}
