import { isBeyondBound } from '../../../src/domain/history/judge/move.ts';
import { Noise } from '../../../src/lib/numbers/noise.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { healthy, type SourceServer } from '../../support/http/source-server.ts';
import { endpointOf } from './bodies.ts';
import { forms, rowOf, type PriceField, type Row } from './rows.ts';
import { sketchOf, type SourceName, type TradedTicker, type TrueMarket } from './true-market.ts';
import type { Trouble } from './trouble.ts';

/** A row that a source has sent. */
export interface Sent {
  readonly source: SourceName;
  readonly ticker: TradedTicker;
  readonly at: number;
  /** The last price as it was sent. */
  readonly price: number;
  readonly isSlip: boolean;
  /** Whether the price or a counter differs from the row before: only then the row is news. */
  readonly isNews: boolean;
}

/** The parts of the rows with a slip, and with a second row of the same symbol. */
const slippedPart = 0.05;
const twicePart = 0.01;
const powers = [1, -1, 2, -2, 1, -3, -1, 3, 1, -4, -1, 4];

/** The sources over a true market, with slips as the seed says. */
export class StandIns {
  slips = 0;
  twice = 0;
  readonly #market: TrueMarket;
  readonly #trouble: Trouble;
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #shown: (ticker: TradedTicker) => number | undefined;
  readonly #onSent: (sent: Sent) => void;
  readonly #counts = new Map<string, number>();
  readonly #slipped = new Map<TradedTicker, number>();
  readonly #before = new Map<string, { readonly text: string; readonly isSlip: boolean }>();

  constructor(deps: {
    readonly market: TrueMarket;
    readonly trouble: Trouble;
    readonly clock: Clock;
    readonly seed: number;
    /** The price that the service shows of an instrument, once it has a close or a price of it. */
    readonly shown: (ticker: TradedTicker) => number | undefined;
    readonly onSent: (sent: Sent) => void;
  }) {
    this.#market = deps.market;
    this.#trouble = deps.trouble;
    this.#clock = deps.clock;
    this.#seed = deps.seed;
    this.#shown = deps.shown;
    this.#onSent = deps.onSent;
  }

  /** The service starts anew, and has no row to compare the next one with. */
  forget(): void {
    this.#before.clear();
  }

  serve(server: SourceServer): void {
    server.respond = (request, response) => {
      server.requests.length = 0;
      const endpoint = endpointOf(request.url);
      if (endpoint === undefined) {
        response.writeHead(404).end();
        return;
      }
      const { source, tickers, write } = endpoint;
      const now = this.#clock.now();
      const path = new URL(request.url, 'http://localhost').pathname;
      const rows = tickers.map((ticker) => rowOf(source, ticker, { market: this.#market, now }));
      const whole = JSON.stringify(write(rows));
      const fails = this.#trouble.draw(source, path, { body: whole, now });
      if (fails !== undefined) {
        fails(request, response);
        return;
      }
      const reports: Sent[] = [];
      const sent = rows.flatMap((row) => this.#send(source, row, reports));
      const [bid, ask] = reports;
      // Of a crossed pair, neither price is used.
      const isCrossed = source === 'dolarapi' && bid && ask && bid.price > ask.price;
      if (isCrossed !== true) for (const one of reports) this.#onSent(one);
      healthy(() => ({ body: JSON.stringify(write(sent)) }))(request, response);
    };
  }

  /** The rows that are sent of an instrument: usually the true one. */
  #send(source: SourceName, row: Row, reports: Sent[]): readonly Row[] {
    const { ticker, last = 0 } = row;
    const key = `${source} ${ticker}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const draws = new Noise(this.#seed, key);
    const before = this.#before.get(key);
    const isTwice =
      draws.uniform(count, 2) < twicePart && before?.isSlip === false && source !== 'yahoo';
    const isSlipped = draws.uniform(count, 0) < slippedPart;
    const slipped =
      row.isOfSession && (isTwice || isSlipped) ? this.#slip(source, row, count) : row;
    const isSingle = !isTwice || slipped === row || row.ticker.startsWith('DOLAR');
    const used = isSingle ? slipped : row;
    const isSlip = used.last !== last;
    if (slipped !== row) this[isSingle ? 'slips' : 'twice'] += 1;
    const text = `${used.last} ${used.volume}`;
    const isNews = before !== undefined && (before.text !== text || source === 'dolarapi');
    // An index without a price is no row.
    if (row.isOfSession || sketchOf(ticker).kind !== 'index') {
      this.#before.set(key, { text, isSlip });
    }
    if (row.isOfSession) {
      reports.push({ source, ticker, at: row.at, price: used.last ?? 0, isSlip, isNews });
    }
    if (isSingle) return [slipped];
    return count % 2 === 0 ? [slipped, row] : [row, slipped];
  }

  /** A row with a price, several or all of them by a power of ten too high or too low. */
  #slip(source: SourceName, row: Row, count: number): Row {
    const { ticker } = row;
    const draws = new Noise(this.#seed, `slips of ${source} ${ticker}`);
    const times = (this.#slipped.get(ticker) ?? 0) + 1;
    const factor = 10 ** (powers[times % powers.length] ?? 1);
    const { fields } = forms[source];
    const kind = Math.floor(draws.uniform(count) * 4);
    const one = fields[Math.floor(draws.uniform(count, 1) * fields.length)] ?? 'last';
    const chosen: readonly PriceField[] = kind === 0 ? ['last'] : kind === 1 ? fields : [one];
    const last = row.last ?? 0;
    // Nobody can tell a slip that is as plausible as the prices before it.
    const shown = this.#shown(ticker);
    const isPlain =
      shown !== undefined && isBeyondBound(sketchOf(ticker).kind, shown, last * factor);
    if (chosen.includes('last') && !isPlain) return row;
    this.#slipped.set(ticker, times);
    const moved = chosen.flatMap((field) => {
      const price = row[field];
      return price === undefined ? [] : [[field, price * factor] as const];
    });
    return { ...row, ...Object.fromEntries(moved) };
  }
}
