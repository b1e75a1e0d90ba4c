import type { Quote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bus } from '../bus.ts';
import { packQuote, type PackedQuote } from './packed-quotes.ts';

/**
 * The writer's end of a bus to one other process.
 *
 * One message is under way at a time. Quotes that are published before the receiver acknowledges it
 * with {@link taken} are queued, conflated to the latest quote of each instrument, and form the next
 * message. So the queue has at most one quote for each instrument, however slow the receiver is. An
 * idle receiver lags by at most one message. Quotes are in the order of their versions, within a
 * message and from one message to the next.
 */
export class QuoteSender implements Disposable {
  readonly #send: (quotes: readonly PackedQuote[]) => void;
  readonly #following: Disposable;
  readonly #waiting = new Map<Ticker, Quote>();
  #isUnderWay: boolean;

  /**
   * @param send starts to send a message and returns without waiting.
   * @param isUnderWay whether the receiver is still processing an earlier message, such as the
   *   current quotes. It then calls {@link taken} once for that message.
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

  /** Number of quotes that are queued for the next message. */
  get backlog(): number {
    return this.#waiting.size;
  }

  /** Acknowledges the message under way. The receiver has published it and is ready for the next. */
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

  /** Unsubscribes from the bus, and discards the queued quotes. */
  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
    this.#waiting.clear();
  }
}
