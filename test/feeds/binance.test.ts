import type { Ticker } from '../../src/domain/ticker.ts';
import type { Update } from '../../src/domain/update.ts';
import { binanceType } from '../../src/feeds/binance/index.ts';
import { makeUniverse } from '../support/make-universe.ts';
import { testSocketSource } from './source-suite.ts';

const start = Date.parse('2026-11-20T18:00:00Z');

/** A message as the combined stream of the exchange sends it, with made-up values. */
function frame(symbol: string, afterMs: number, trade: number, last: string): string {
  const data = {
    e: '24hrTicker',
    E: start + afterMs,
    s: symbol,
    c: last,
    o: '1.00000000',
    h: '9999999.00000000',
    l: '0.01000000',
    v: '1234.50000000',
    q: '99.00000000',
    C: start + afterMs - 12,
    L: trade,
    n: 600,
  };
  return JSON.stringify({ stream: `${symbol.toLowerCase()}@ticker`, data });
}

function update(ticker: string, afterMs: number, last: number): Update {
  return { ticker: ticker as Ticker, at: start + afterMs, last };
}

testSocketSource({
  type: binanceType,
  universe: makeUniverse([
    { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'ETH', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'SOL', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'GGAL' },
  ]),
  config: { instruments: { exclude: ['SOL'] } },
  now: start + 10_000,
  frames: [
    frame('BTCUSDT', 0, 501, '97000.10000000'),
    frame('ETHUSDT', 10, 77, '3350.00000000'),
    // The same trade again: statistics change without one.
    frame('BTCUSDT', 1_000, 501, '97000.10000000'),
    frame('BTCUSDT', 2_000, 502, '97100.00000000'),
    frame('BTCUSDT', 3_000, 503, '96900.00000000'),
    frame('ETHUSDT', 3_010, 78, '0.00000000'),
    frame('DOGEUSDT', 3_020, 9, '0.39000000'),
    frame('BTCUSDT', 4_000, 504, '97050.25000000'),
  ],
  expected: [
    update('BTC', 0, 97_000.1),
    update('ETH', 10, 3_350),
    update('BTC', 2_000, 97_100),
    update('BTC', 3_000, 96_900),
    update('BTC', 4_000, 97_050.25),
  ],
});
