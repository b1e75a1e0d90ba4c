import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FollowedQuote } from '../../domain/quotes/followed-quote.ts';
import type { OriginInstrument } from './origin-rows.ts';

/**
 * The delays of the sources of the origin, from `/especies.json`: a quote names its source, and not the delay.
 */
export class SourceTable {
  /** The delay of each source, by its name. Undefined where the origin does not know it. */
  readonly #delays = new Map<string, number | undefined>();
  /** The delay of each instrument, which a derived one has without a source. */
  readonly #ofTickers = new Map<string, number | undefined>();

  /** Replaces what is known. */
  adopt(instruments: readonly OriginInstrument[]): void {
    this.#delays.clear();
    this.#ofTickers.clear();
    for (const { ticker, source, delayMinutes } of instruments) {
      if (source === undefined) this.#ofTickers.set(ticker, delayMinutes);
      else this.#delays.set(source, delayMinutes);
    }
  }

  /** Whether the delay of a source was listed. A derived instrument has no source. */
  knows(source: string | undefined): boolean {
    return source === undefined || this.#delays.has(source);
  }

  /** Whether a delay is listed for an instrument without a source. */
  hasDelay(ticker: Ticker): boolean {
    return this.#ofTickers.get(ticker) !== undefined;
  }

  /** The source of an instrument with its delay. */
  sourceOf(ticker: Ticker, name: string | undefined): FollowedQuote['source'] {
    const delayMinutes = name === undefined ? this.#ofTickers.get(ticker) : this.#delays.get(name);
    return {
      ...(name === undefined ? {} : { name }),
      ...(delayMinutes === undefined ? {} : { delayMinutes }),
    };
  }
}
