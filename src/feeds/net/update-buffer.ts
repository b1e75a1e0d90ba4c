import type { Ticker } from '../../domain/instruments/ticker.ts';
import { hasBook, hasPrices, type Update } from '../../domain/quotes/update.ts';
import { bookOf, isSameReport, mergedBook } from '../shapes/book-fields.ts';

/**
 * Updates that wait to be taken, conflated: of each instrument at most the first update, the first, the
 * lowest, the highest and the latest price, the latest update, the latest official close and the latest
 * book, in the order in which they came. So the open, the range and the last price of a session are what
 * they would be without conflation, and the buffer is bounded by the number of instruments.
 */
export class UpdateBuffer {
  readonly #waiting = new Map<Ticker, Conflated>();
  #order = 0;

  add(update: Update): void {
    this.#order += 1;
    const numbered = { update, order: this.#order };
    const conflated = this.#waiting.get(update.ticker);
    if (conflated !== undefined) conflated.add(numbered);
    else this.#waiting.set(update.ticker, new Conflated(numbered));
  }

  /** Removes all updates and returns them, oldest first. */
  take(): readonly Update[] {
    const numbered = [...this.#waiting.values()].flatMap((conflated) => conflated.all());
    this.#waiting.clear();
    return numbered.toSorted((a, b) => a.order - b.order).map(({ update }) => update);
  }
}

interface Numbered {
  readonly update: Update;
  readonly order: number;
}

/** The updates of one instrument. */
class Conflated {
  readonly #first: Numbered;
  #firstPrice: Numbered | undefined;
  #lowest: Numbered | undefined;
  #highest: Numbered | undefined;
  #latestPrice: Numbered | undefined;
  #latest: Numbered | undefined;
  #close: Numbered | undefined;
  #book: Numbered | undefined;

  constructor(first: Numbered) {
    this.#first = first;
    this.add(first);
  }

  add(next: Numbered): void {
    if (hasBook(next.update)) this.#book = laterBook(this.#book, next);
    // A book alone must not hide the latest volume.
    if (!hasPrices(next.update)) return;
    const { last, close } = next.update;
    if (last !== undefined) {
      this.#firstPrice ??= next;
      if (last < (this.#lowest?.update.last ?? Infinity)) this.#lowest = next;
      if (last > (this.#highest?.update.last ?? -Infinity)) this.#highest = next;
      this.#latestPrice = later(this.#latestPrice, next);
    }
    if (close !== undefined) this.#close = later(this.#close, next);
    this.#latest = later(this.#latest, next);
  }

  all(): readonly Numbered[] {
    const prices = [this.#firstPrice, this.#lowest, this.#highest, this.#latestPrice];
    const all = [this.#first, ...prices, this.#latest, this.#close, this.#book];
    return [...new Set(all.filter((one) => one !== undefined))];
  }
}

/** A message that was overtaken must not hide the later one. */
function later(held: Numbered | undefined, next: Numbered): Numbered {
  return held !== undefined && next.update.at < held.update.at ? held : next;
}

/** The book after an update, as an update of its own if it is composed of several. */
function laterBook(held: Numbered | undefined, next: Numbered): Numbered {
  if (held === undefined || next.update.at < held.update.at) return held ?? next;
  const { ticker, at } = next.update;
  const reported = bookOf(next.update) ?? {};
  const book = mergedBook(bookOf(held.update) ?? {}, reported);
  if (isSameReport(book, reported)) return next;
  return { update: { ticker, at, ...book }, order: next.order };
}
