import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FetchedBody } from '../net/read-body.ts';
import type { Validators } from '../net/fetch-limited.ts';
import type { Origin } from './ask-origin.ts';
import { mapEspecies, type OriginInstrument } from './origin-rows.ts';

/** The instruments that the origin and this service have, with their sources. Others are not kept. */
export class OriginListing {
  readonly #origin: Origin;
  readonly #tickers: ReadonlySet<string>;
  #known: Validators | undefined;
  #instruments: readonly OriginInstrument[] = [];

  constructor(origin: Origin, tickers: ReadonlySet<Ticker>) {
    this.#origin = origin;
    this.#tickers = tickers;
  }

  /**
   * Reads the list. The origin sends it again only if it has changed.
   *
   * @throws FeedFault
   */
  async read(signal: AbortSignal): Promise<readonly OriginInstrument[]> {
    const request = { path: '/especies.json', known: this.#known };
    const fetched = await this.#origin.read(request, signal);
    if (fetched.isUnchanged) return this.#instruments;
    try {
      const listed = new Map(
        mapEspecies(fetched satisfies FetchedBody)
          .filter(({ ticker }) => this.#tickers.has(ticker))
          .map((one) => [one.ticker, one]),
      );
      this.#instruments = [...listed.values()];
    } catch (fault) {
      fetched.observer?.misunderstood(fault);
      throw fault;
    }
    this.#known = fetched.validators;
    // The rows are no prices. So a check sees that they were understood.
    fetched.observer?.mapped({ updates: [], rejected: [] });
    return this.#instruments;
  }
}

/** Those of some tickers that the origin has, in their order. */
export function offeredOf(
  instruments: readonly OriginInstrument[],
  tickers: ReadonlySet<Ticker>,
): readonly Ticker[] {
  const offered = new Set(instruments.map(({ ticker }) => ticker));
  return [...tickers].filter((ticker) => offered.has(ticker));
}
