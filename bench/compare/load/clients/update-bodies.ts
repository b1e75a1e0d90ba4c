import { readFileSync } from 'node:fs';
import { requestText } from '../../../support/http-connection.ts';
import { seededRandom } from '../../../support/random.ts';

/** Number of updates per request. */
export const updatesPerBatch = 20;

/** Requests with updates of all instruments in turn, in the format of the side. */
export class UpdateBodies {
  readonly #url: URL;
  readonly #format: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tickers: readonly string[];
  readonly #random = seededRandom(1);
  readonly #prices: Map<string, number>;
  #next = 0;

  constructor(to: {
    readonly url: string;
    readonly format: string;
    readonly authorization: string;
    /** A file with a ticker in each line. */
    readonly tickersFile: string;
  }) {
    this.#url = new URL(to.url);
    this.#format = to.format;
    this.#headers = {
      authorization: to.authorization,
      'content-type': to.format === 'ndjson' ? 'application/x-ndjson' : 'application/json',
    };
    this.#tickers = readFileSync(to.tickersFile, 'utf8').trimEnd().split('\n');
    this.#prices = new Map(this.#tickers.map((ticker) => [ticker, 100 + this.#random() * 1_000]));
  }

  /** The port to push to. */
  get port(): number {
    return Number(this.#url.port);
  }

  /** The next request. */
  nextRequest(): string {
    return requestText('POST', this.#url, this.#headers, this.#body());
  }

  #body(): string {
    const batch = Array.from({ length: updatesPerBatch }, () => this.#nextUpdate());
    const now = Date.now();
    const at = new Date(now).toISOString();
    switch (this.#format) {
      case 'ndjson':
        return batch.map((one) => JSON.stringify({ ...one, at })).join('\n');
      case 'json':
        return JSON.stringify(batch.map((one) => ({ ...one, at })));
      default:
        return batch
          .map(({ ticker, last }) => {
            return `quotes,especie=${ticker.replaceAll(' ', String.raw`\ `)} ultimo=${last} ${now}`;
          })
          .join('\n');
    }
  }

  #nextUpdate(): { readonly ticker: string; readonly last: number } {
    const ticker = this.#tickers[this.#next] ?? '';
    this.#next = (this.#next + 1) % this.#tickers.length;
    const step = 1 + (this.#random() - 0.5) / 100;
    const last = Number(((this.#prices.get(ticker) ?? 100) * step).toFixed(2));
    this.#prices.set(ticker, last);
    return { ticker, last };
  }
}
