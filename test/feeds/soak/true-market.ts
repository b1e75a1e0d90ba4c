import type { InstrumentKind } from '../../../src/domain/instruments/instrument.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { Noise } from '../../../src/lib/numbers/noise.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { closesAt, minuteMs, opensAt } from './timetable.ts';

/** The name of a source of the soak, in the order of the configuration. */
export const sourceNames = ['data912', 'byma', 'dolarapi', 'yahoo'] as const;
export type SourceName = (typeof sourceNames)[number];

interface Traded {
  readonly kind: InstrumentKind;
  readonly sources: readonly SourceName[];
  /** About this price; within a session it moves by a few percent. */
  readonly price: number;
  readonly everySeconds: number;
  /** Stored closes by this factor of the true ones: all of them, or that of the last session alone. */
  readonly stored?: { readonly all: number } | { readonly last: number } | 'none';
  /** How much it jumps in the middle of the session, and stays there. */
  readonly jump?: number;
  /** The part of the time after which it trades first. */
  readonly tradesAfter?: number;
  /** The part of the time during which its source repeats the session before. */
  readonly frozenFor?: number;
}

const all = ['data912', 'byma', 'yahoo'] as const;

/** The instruments of the soak. */
const traded = {
  GGAL: { kind: 'share', sources: all, price: 5_000, everySeconds: 9 },
  PAMP: { kind: 'share', sources: all, price: 3_000, everySeconds: 26 },
  // A split of 8 for 1 overnight that nobody has recorded.
  YPFD: { kind: 'share', sources: all, price: 6_000, everySeconds: 11, stored: { all: 8 } },
  // Its last close was stored as a hundred times too high.
  SUPV: { kind: 'share', sources: all, price: 2_000, everySeconds: 13, stored: { last: 100 } },
  // It is worth five times as much from the middle of the session on, and so is BBAR.
  BMA: { kind: 'share', sources: all, price: 8_000, everySeconds: 10, jump: 5 },
  COME: { kind: 'share', sources: all, price: 300, everySeconds: 17, tradesAfter: 0.3 },
  BBAR: { kind: 'share', sources: ['byma', 'yahoo'], price: 7_000, everySeconds: 31, jump: 5 },
  // The service has no close of it.
  VALO: {
    kind: 'share',
    sources: ['data912', 'byma'],
    price: 400,
    everySeconds: 19,
    stored: 'none',
  },
  ALUA: { kind: 'share', sources: ['yahoo'], price: 900, everySeconds: 40, frozenFor: 1 },
  TXAR: { kind: 'share', sources: ['yahoo'], price: 800, everySeconds: 45, frozenFor: 0.5 },
  MERVAL: { kind: 'index', sources: ['byma'], price: 2_000_000, everySeconds: 5 },
  AL30: { kind: 'bond', sources: ['data912', 'byma'], price: 90_000, everySeconds: 8 },
  AL30D: { kind: 'bond', sources: ['data912', 'byma'], price: 60, everySeconds: 14 },
  'DOLAR BLUE COMPRA': {
    kind: 'exchange-rate',
    sources: ['dolarapi'],
    price: 1_400,
    everySeconds: 45,
  },
  'DOLAR BLUE VENTA': {
    kind: 'exchange-rate',
    sources: ['dolarapi'],
    price: 1_550,
    everySeconds: 45,
    stored: { last: 100 },
  },
} as const satisfies Readonly<Record<string, Traded>>;

/** The name of an instrument that is traded. */
export type TradedTicker = keyof typeof traded;

export const tradedTickers = Object.keys(traded) as readonly TradedTicker[];

/** An instrument that is computed from others. */
export const derived = {
  ticker: 'DOLAR MEP',
  numerator: 'AL30',
  denominator: 'AL30D',
} as const satisfies Readonly<Record<string, string>>;

export const sessionUniverse = makeUniverse([
  ...tradedTickers.map((ticker) => ({ ticker, kind: traded[ticker].kind, decimals: 2 })),
  {
    ticker: derived.ticker,
    kind: 'exchange-rate',
    decimals: 2,
    derivation: {
      type: 'ratio',
      numerator: derived.numerator as string as Ticker,
      denominator: derived.denominator as string as Ticker,
    },
  },
]);

/** What is known of an instrument. */
export function sketchOf(ticker: TradedTicker): Traded {
  return traded[ticker];
}

/** The instruments of a source. */
export function tickersOf(source: SourceName): readonly TradedTicker[] {
  return tradedTickers.filter((ticker) => sketchOf(ticker).sources.includes(source));
}

/** A true price, with the state of the session at its instant. */
export interface Trade {
  readonly at: number;
  readonly price: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** The number of trades so far, from 1. */
  readonly count: number;
  readonly volume: number;
}

/** The nominal volume of each trade. */
const lot = 10;

/** The closes of a true market before the session. */
export interface TrueCloses {
  readonly previous: number;
  readonly monthBase: number;
  readonly yearBase: number;
}

/** What really happens in a session. */
export class TrueMarket {
  /** When the jump is. */
  readonly jumpsAt: number;
  readonly #endsAt: number;
  readonly #noise: Noise;
  readonly #trades = new Map<TradedTicker, readonly Trade[]>();

  /** @param endsAt the end of the part of the session that is played. */
  constructor(seed: number, endsAt: number) {
    this.#noise = new Noise(seed, 'true prices');
    this.#endsAt = Math.min(endsAt, closesAt);
    this.jumpsAt = this.#partOfTime(0.55);
    for (const ticker of tradedTickers) this.#trades.set(ticker, this.#tradesOf(ticker));
  }

  /** The last trade of the session until an instant. */
  tradeAt(ticker: TradedTicker, instant: number): Trade | undefined {
    const trades = this.tradesOf(ticker);
    const first = trades[0]?.at ?? Infinity;
    const everyMs = sketchOf(ticker).everySeconds * 1_000;
    const index = Math.min(Math.floor((instant - first) / everyMs), trades.length - 1);
    return trades[index];
  }

  tradesOf(ticker: TradedTicker): readonly Trade[] {
    return this.#trades.get(ticker) ?? [];
  }

  /** The true closes, on the basis of the session. */
  closesOf(ticker: TradedTicker): TrueCloses {
    const { price } = sketchOf(ticker);
    const rounded = (factor: number): number => Math.round(price * factor * 100) / 100;
    return { previous: rounded(1.01), monthBase: rounded(0.95), yearBase: rounded(0.8) };
  }

  /** The closes that the service has stored. Undefined for none. */
  storedClosesOf(ticker: TradedTicker): TrueCloses | undefined {
    const { stored } = sketchOf(ticker);
    const closes = this.closesOf(ticker);
    if (stored === 'none') return undefined;
    if (stored === undefined) return closes;
    if ('last' in stored) return { ...closes, previous: closes.previous * stored.last };
    const times = (close: number): number => Math.round(close * stored.all * 100) / 100;
    return {
      previous: times(closes.previous),
      monthBase: times(closes.monthBase),
      yearBase: times(closes.yearBase),
    };
  }

  /** Whether the source of an instrument repeats the session before. */
  isFrozen(ticker: TradedTicker, instant: number): boolean {
    return instant < this.#partOfTime(sketchOf(ticker).frozenFor ?? 0);
  }

  #partOfTime(part: number): number {
    return opensAt + Math.floor((part * (this.#endsAt - opensAt)) / minuteMs) * minuteMs;
  }

  #tradesOf(ticker: TradedTicker): readonly Trade[] {
    const { price: level, everySeconds, jump = 1, tradesAfter = 0 } = sketchOf(ticker);
    const trades: Trade[] = [];
    const address = tradedTickers.indexOf(ticker);
    let [open, high, low] = [0, -Infinity, Infinity];
    const from = this.#partOfTime(tradesAfter) + everySeconds * 1_000;
    for (let at = from; at < this.#endsAt; at += everySeconds * 1_000) {
      const moved = level * (at < this.jumpsAt ? 1 : jump);
      const wave = 0.97 + 0.06 * this.#noise.uniform(address, trades.length);
      const price = Math.round(moved * wave * 100) / 100;
      if (trades.length === 0) open = price;
      high = Math.max(high, price);
      low = Math.min(low, price);
      const count = trades.length + 1;
      trades.push({ at, price, open, high, low, count, volume: count * lot });
    }
    return trades;
  }
}
