import type { Ticker } from '../../domain/ticker.ts';
import type { Update } from '../../domain/update.ts';

/**
 * Updates that wait to be taken, conflated: of each instrument at most the first, the lowest, the
 * highest and the latest price, the latest update and the latest official close, in the order in which
 * they came. So the open, the range and the last price of a session are what they would be without
 * conflation, and the buffer is bounded by the number of instruments.
 */
export class UpdateBuffer {
  readonly #waiting = new Map<Ticker, Conflated>();
  #order = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(update: Update): void {
    this.#order += 1;
    const numbered = { update, order: this.#order };
    const conflated = this.#waiting.get(update.ticker);
    if (conflated === undefined) this.#waiting.set(update.ticker, new Conflated(numbered));
    else conflated.add(numbered);
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
  #lowest: Numbered;
  #highest: Numbered;
  #latest: Numbered;
  #latestPrice: Numbered | undefined;
  #close: Numbered | undefined;

  constructor(first: Numbered) {
    this.#first = first;
    this.#lowest = first;
    this.#highest = first;
    this.#latest = first;
    this.#latestPrice = first.update.last === undefined ? undefined : first;
    this.#close = first.update.close === undefined ? undefined : first;
  }

  add(next: Numbered): void {
    const { last, close, at } = next.update;
    if (last !== undefined) {
      if (last < (this.#lowest.update.last ?? Infinity)) this.#lowest = next;
      if (last > (this.#highest.update.last ?? -Infinity)) this.#highest = next;
      // A message that was overtaken must not hide the later one.
      if (at >= (this.#latestPrice?.update.at ?? -Infinity)) this.#latestPrice = next;
    }
    if (close !== undefined && at >= (this.#close?.update.at ?? -Infinity)) this.#close = next;
    if (at >= this.#latest.update.at) this.#latest = next;
  }

  all(): readonly Numbered[] {
    const prices = [this.#first, this.#lowest, this.#highest, this.#latestPrice];
    const all = [...prices, this.#latest, this.#close];
    return [...new Set(all.filter((one) => one !== undefined))];
  }
}
