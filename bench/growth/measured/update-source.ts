import { setTimeout as sleep } from 'node:timers/promises';

import { instrumentKinds } from '../../../src/domain/instruments/instrument.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { ask } from '../../support/ask.ts';
import { HttpConnection, requestText } from '../../support/http-connection.ts';
import { seededRandom } from '../../support/random.ts';
import type { RunningService } from '../../support/running-service.ts';

/** Number of tickers of one request. */
const tickersPerRequest = 200;

/** Decimals of the pushed prices. Instruments with fewer of them are not pushed. */
const priceDecimals = 4;

/** Steps that a price may be away from where it began, so that no price is doubtful. */
const stepsMax = 100;

/** What a client needs to know of the pushed prices. */
export interface PushedPrices {
  /** The last pushed price of an instrument. */
  last(ticker: string): number | undefined;
  /** When a price was pushed, in milliseconds of `performance.now()`. */
  sentAt(ticker: string, price: number): number | undefined;
}

/** Pushes prices that differ from those before, and remembers when. */
export class UpdateSource implements PushedPrices, Disposable {
  /** The instruments that can be pushed. */
  readonly tickers: readonly string[];
  readonly #service: RunningService;
  readonly #random = seededRandom(31);
  readonly #bases: ReadonlyMap<string, number>;
  readonly #last = new Map<string, number>();
  readonly #sentAt = new Map<string, number>();
  readonly #idle: HttpConnection[] = [];
  #next = 0;

  private constructor(service: RunningService, bases: ReadonlyMap<string, number>) {
    this.#service = service;
    this.#bases = bases;
    this.tickers = [...bases.keys()];
  }

  /** @throws when an instrument has no quote to begin with. */
  static async of(service: RunningService, universe: Universe): Promise<UpdateSource> {
    const derived = new Set(universe.derived.map(({ instrument }) => instrument));
    const tickers = universe.instruments
      .filter((one) => !derived.has(one) && instrumentKinds[one.kind].isPrice)
      .filter((one) => one.decimals >= priceDecimals)
      .map(({ ticker }) => String(ticker));
    const bases = new Map<string, number>();
    for (let from = 0; from < tickers.length; from += tickersPerRequest) {
      const some = tickers.slice(from, from + tickersPerRequest).map(encodeURIComponent);
      const url = `${service.url}/cotizaciones?especie=${some.join(',')}`;
      const { body } = await ask(url, { authorization: `Bearer ${service.keys.read}` });
      const quotes = JSON.parse(body.toString()) as readonly { especie: string; ultimo: number }[];
      for (const { especie, ultimo } of quotes) bases.set(especie, ultimo);
    }
    if (bases.size < tickers.length) throw new Error(`only ${bases.size} quotes`);
    return new UpdateSource(service, bases);
  }

  last(ticker: string): number | undefined {
    return this.#last.get(ticker);
  }

  sentAt(ticker: string, price: number): number | undefined {
    return this.#sentAt.get(`${ticker} ${price}`);
  }

  /** Pushes updates of the next instruments, in turn. Gives the milliseconds until they are durable. */
  async push(count: number): Promise<number> {
    const connection = await this.#connection();
    const body = this.#body(count);
    const { promise, resolve } = Promise.withResolvers<number>();
    const sent = performance.now();
    connection.exchange(body, resolve);
    const status = await promise;
    if (status !== 200) throw new Error(`a push got ${status}`);
    this.#idle.push(connection);
    return performance.now() - sent;
  }

  /** Pushes at a steady rate. Gives the milliseconds until each push was durable. */
  async pushFor(
    seconds: number,
    { perSecond, batch }: { readonly perSecond: number; readonly batch: number },
  ): Promise<readonly number[]> {
    const begun = performance.now();
    const pauseMs = (batch * 1_000) / perSecond;
    const pushes: Promise<number>[] = [];
    for (let turn = 0; turn * pauseMs < seconds * 1_000; turn += 1) {
      await sleep(Math.max(0, begun + turn * pauseMs - performance.now()));
      pushes.push(this.push(batch));
    }
    return Promise.all(pushes);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#idle) connection[Symbol.dispose]();
  }

  async #connection(): Promise<HttpConnection> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle;
    }
    return HttpConnection.open(Number(new URL(this.#service.privateUrl).port));
  }

  #body(count: number): string {
    const at = new Date().toISOString();
    const now = performance.now();
    const lines = Array.from({ length: count }, () => {
      const ticker = this.tickers[this.#next] ?? '';
      this.#next = (this.#next + 1) % this.tickers.length;
      const last = this.#nextPrice(ticker);
      this.#last.set(ticker, last);
      this.#sentAt.set(`${ticker} ${last}`, now);
      return JSON.stringify({ ticker, at, last });
    });
    const { privateUrl, keys } = this.#service;
    const headers = {
      authorization: `Bearer ${keys.ingest}`,
      'content-type': 'application/x-ndjson',
    };
    return requestText('POST', new URL(`${privateUrl}/updates`), headers, lines.join('\n'));
  }

  /** Another price than the last one, within 1 % of the first one. */
  #nextPrice(ticker: string): number {
    const base = this.#bases.get(ticker) ?? 0;
    const step = base / stepsMax / 100;
    for (;;) {
      const price = Number(
        (base + Math.round((this.#random() * 2 - 1) * stepsMax) * step).toFixed(priceDecimals),
      );
      if (price !== this.#last.get(ticker) && price !== base) return price;
    }
  }
}
