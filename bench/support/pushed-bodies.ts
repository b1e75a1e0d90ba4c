import { loadUniverse } from '../../src/universe/load-universe.ts';
import { requestText } from './http-connection.ts';
import { seededRandom } from './random.ts';

/** A service that takes updates. */
interface Pushed {
  readonly privateUrl: string;
  readonly keys: { readonly ingest: string };
}

/** Requests that push updates of all instruments in turn. Each update has another price than the one before. */
export class PushedBodies {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tickers: readonly string[];
  readonly #random = seededRandom(27);
  readonly #prices: number[];
  #next = 0;

  private constructor({ privateUrl, keys }: Pushed, tickers: readonly string[]) {
    this.#url = new URL(`${privateUrl}/updates`);
    this.#headers = {
      authorization: `Bearer ${keys.ingest}`,
      'content-type': 'application/x-ndjson',
    };
    this.#tickers = tickers;
    this.#prices = tickers.map(() => 100 + this.#random() * 1_000);
  }

  static async of(service: Pushed): Promise<PushedBodies> {
    const loaded = await loadUniverse(new URL('../../universe/', import.meta.url).pathname);
    if (!loaded.ok) throw new Error('the default universe has faults');
    const { instruments, derived } = loaded.universe;
    const computed = new Set(derived.map(({ instrument }) => instrument));
    const pushed = instruments.filter((one) => !computed.has(one));
    return new PushedBodies(
      service,
      pushed.map(({ ticker }) => ticker),
    );
  }

  get port(): number {
    return Number(this.#url.port);
  }

  /** The next request, of `count` updates at one instant. */
  next(count: number, instant = Date.now()): string {
    const at = new Date(instant).toISOString();
    const lines = Array.from({ length: count }, () => JSON.stringify({ ...this.#update(), at }));
    return requestText('POST', this.#url, this.#headers, lines.join('\n'));
  }

  #update(): { readonly ticker: string; readonly last: number } {
    const place = this.#next;
    this.#next = (place + 1) % this.#tickers.length;
    const step = 1 + (this.#random() - 0.5) / 100;
    const last = Number(((this.#prices[place] ?? 100) * step).toFixed(2));
    this.#prices[place] = last;
    return { ticker: this.#tickers[place] ?? '', last };
  }
}
