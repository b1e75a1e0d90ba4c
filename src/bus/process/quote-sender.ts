import type { Quote } from '../../domain/quote.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Bus } from '../bus.ts';
import { packQuote } from './packed-quotes.ts';
import type { PackedQuote } from './packed-quotes.ts';

/**
 * The writer's end of a bus that reaches into one other process.
 *
 * One message is under way at a time: until the other end has {@link taken} it, what is published
 * waits here, conflated to the latest quote of each instrument, and makes the next message. So what
 * waits is bounded by the universe however slow the other end is, and an idle one is a single message
 * behind. Messages keep the order of versions, within and among them.
 */
export class QuoteSender implements Disposable {
  readonly #send: (quotes: readonly PackedQuote[]) => void;
  readonly #following: Disposable;
  readonly #waiting = new Map<Ticker, Quote>();
  #isUnderWay: boolean;

  /**
   * @param send begins to send a message and never waits.
   * @param isUnderWay whether the other end is still at something that came before, such as the
   *   current quotes; then it says {@link taken} once for that.
   */
  constructor(
    bus: Pick<Bus, 'subscribe'>,
    send: (quotes: readonly PackedQuote[]) => void,
    { isUnderWay = false }: { readonly isUnderWay?: boolean } = {},
  ) {
    this.#send = send;
    this.#isUnderWay = isUnderWay;
    this.#following = bus.subscribe((quotes) => {
      for (const quote of quotes) this.#waiting.set(quote.instrument.ticker, quote);
      this.#sendNext();
    });
  }

  /** How many quotes wait for the message after the one under way. */
  get backlog(): number {
    return this.#waiting.size;
  }

  /** The other end has shown the last message, and is ready for the next. */
  taken(): void {
    this.#isUnderWay = false;
    this.#sendNext();
  }

  #sendNext(): void {
    if (this.#isUnderWay || this.#waiting.size === 0) return;
    const quotes = [...this.#waiting.values()].sort((a, b) => a.version - b.version);
    this.#waiting.clear();
    this.#isUnderWay = true;
    this.#send(quotes.map(packQuote));
  }

  /** Follows no longer, and forgets what waits. */
  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
    this.#waiting.clear();
  }
}
