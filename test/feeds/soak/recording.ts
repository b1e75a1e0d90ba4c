import type { InstrumentKind } from '../../../src/domain/instruments/instrument.ts';
import { Noise } from '../../../src/lib/numbers/noise.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { closesAt, lastTradeAt, minuteMs, opensAt, seed } from './timetable.ts';

/** An instrument of the recording. */
interface Recorded {
  readonly kind: InstrumentKind;
  /** The lowest price. The highest one is 400 more, or 40 more for a rate. */
  readonly from: number;
  /** Has one value a day, which is published for the open. */
  readonly isDaily?: boolean;
  /** Its source dates no trade: the instant of a price is that of the request. */
  readonly isUndated?: boolean;
}

const recorded = {
  // Polled.
  GGAL: { kind: 'exchange-rate', from: 1_000 },
  YPFD: { kind: 'exchange-rate', from: 2_000 },
  'DOLAR BLUE COMPRA': { kind: 'exchange-rate', from: 3_000 },
  'DOLAR BLUE VENTA': { kind: 'exchange-rate', from: 4_000 },
  'DOLAR CRIPTO': { kind: 'exchange-rate', from: 5_000 },
  'BTC/ARS': { kind: 'exchange-rate', from: 6_000 },
  PAMP: { kind: 'share', from: 8_000, isUndated: true },
  'RIESGO PAIS': { kind: 'country-risk', from: 573, isDaily: true },
  'DOLAR A3500': { kind: 'exchange-rate', from: 1_523, isDaily: true },
  MERVAL: { kind: 'index', from: 9_000, isUndated: true },
  'CAUCION 7D': { kind: 'interest-rate', from: 20 },
  BBAR: { kind: 'share', from: 10_000 },
  TXAR: { kind: 'share', from: 11_000 },
  // Sent over a WebSocket. Two sources have BTC.
  BTC: { kind: 'exchange-rate', from: 7_000 },
  ETH: { kind: 'exchange-rate', from: 12_000 },
  AAPL_US: { kind: 'share', from: 13_000 },
  AL30: { kind: 'bond', from: 14_000 },
  // Polled. The order of the rows is part of the seed.
  KO_US: { kind: 'share', from: 15_000 },
  // Streamed by another Pizarra.
  SUPV: { kind: 'share', from: 16_000 },
} as const satisfies Readonly<Record<string, Recorded>>;

/** The name of an instrument of the recording. */
export type RecordedTicker = keyof typeof recorded;

export const tickers = Object.keys(recorded) as readonly RecordedTicker[];

/** All instruments are in one market, so that their sessions end at the same time. */
export const universe = makeUniverse(
  tickers.map((ticker) => ({ ticker, kind: recorded[ticker].kind, decimals: 2 })),
);

const prices = new Noise(seed, 'prices');

/** The price of the recording: it changes every minute of the session, or once a day. */
export function priceAt(ticker: RecordedTicker, instant: number): number {
  const { kind, from, isDaily = false }: Recorded = recorded[ticker];
  const at = tradedAt(instant);
  if (isDaily) return at < opensAt ? from : from + 7;
  const cents = kind === 'interest-rate' ? 4_000 : 40_000;
  const noise = prices.uniform(tickers.indexOf(ticker), Math.floor(at / minuteMs));
  // A decimal of two digits, without the error of a sum.
  return (from * 100 + Math.floor(noise * cents)) / 100;
}

/** The start of the last minute in which there was a trade. */
export function tradedAt(instant: number): number {
  const latest = Math.min(instant, lastTradeAt);
  const traded = latest < opensAt ? opensAt - 18 * 60 * minuteMs : latest;
  return Math.floor(traded / minuteMs) * minuteMs;
}

/** The number of trades of a session until an instant. */
export function tradesAt(instant: number): number {
  return Math.max(0, Math.floor((tradedAt(instant) - opensAt) / minuteMs));
}

/** Whether a price is that of the recording at an instant. */
export function isRecorded(ticker: RecordedTicker, last: number, asOf: number): boolean {
  const { isUndated = false }: Recorded = recorded[ticker];
  // The instant of a snapshot is that of its request, and the response was written after it.
  const laterMinutes = isUndated ? 15 : 0;
  for (let minutes = 0; minutes <= laterMinutes; minutes += 1) {
    if (last === priceAt(ticker, asOf + minutes * minuteMs)) return true;
  }
  return false;
}

/** Every price of the recording in the session. */
export function recordedPrices(ticker: RecordedTicker): ReadonlySet<number> {
  const instants = [];
  for (let at = opensAt; at <= closesAt; at += minuteMs) instants.push(at);
  return new Set(instants.map((at) => priceAt(ticker, at)));
}
