import { StreamClient } from '../../support/stream-client.ts';
import type { RunningService } from '../../support/running-service.ts';
import type { PushedPrices } from './update-source.ts';

/** A client with a stream of some instruments. */
export class Screen implements Disposable {
  /** Number of quotes that it has received. */
  events = 0;
  /** Milliseconds from the push of each received price. Undefined while they are not measured. */
  delays: number[] | undefined;
  readonly #tickers: readonly string[];
  readonly #shown = new Map<string, number>();
  readonly #pushed: PushedPrices;
  readonly #stream: StreamClient;

  private constructor(stream: StreamClient, tickers: readonly string[], pushed: PushedPrices) {
    this.#tickers = tickers;
    this.#pushed = pushed;
    this.#stream = stream;
    stream.onQuote = (ticker, price) => this.#take(ticker, price);
  }

  /** @param after the last version that the client has seen, for a client that connects again. */
  static async open(
    service: RunningService,
    tickers: readonly string[],
    pushed: PushedPrices,
    after?: number,
  ): Promise<Screen> {
    const query = `especie=${tickers.map(encodeURIComponent).join(',')}`;
    return new Screen(await StreamClient.open(service, query, after), tickers, pushed);
  }

  get tickers(): readonly string[] {
    return this.#tickers;
  }

  get hasEnded(): boolean {
    return this.#stream.hasEnded;
  }

  /** Whether it shows the last pushed price of each of its instruments. */
  get isCurrent(): boolean {
    return this.#tickers.every((one) => this.#shown.get(one) === this.#pushed.last(one));
  }

  [Symbol.dispose](): void {
    this.#stream[Symbol.dispose]();
  }

  #take(ticker: string, price: number): void {
    this.events += 1;
    this.#shown.set(ticker, price);
    if (this.delays === undefined) return;
    const sentAt = this.#pushed.sentAt(ticker, price);
    if (sentAt !== undefined) this.delays.push(performance.now() - sentAt);
  }
}
