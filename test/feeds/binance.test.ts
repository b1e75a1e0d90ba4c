import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ticker } from '../../src/domain/ticker.ts';
import type { Update } from '../../src/domain/update.ts';
import { BinanceMapper, binanceTickers } from '../../src/feeds/binance/binance-mapper.ts';
import { binanceType } from '../../src/feeds/binance/index.ts';
import { makeUniverse } from '../support/make-universe.ts';
import { sharedData } from '../support/shared-data.ts';
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

test('binance: recorded messages of other pairs and streams give no update', (t) => {
  const path = sharedData('payloads/binance');
  if (path === undefined) {
    t.skip('needs the shared data');
    return;
  }
  const mapper = new BinanceMapper(binanceTickers.map((ticker) => ticker as Ticker));
  const ticker = readFileSync(join(path, 'ws-combined-ticker-BNBBTC.json'), 'utf8');
  assert.deepEqual(mapper.map(ticker).updates, []);
  assert.equal(mapper.map(ticker).rejected[0]?.reason, 'no-instrument');
  // The same recorded message, as if it were of a pair that is served: only the price is taken.
  const served = mapper.map(ticker.replaceAll('BNBBTC', 'BNBUSDT'));
  assert.deepEqual(served.updates, [{ ticker: 'BNB', at: 1_580_254_809_477, last: 9_338.96 }]);
  const books = readFileSync(join(path, 'ws-bookTicker.log'), 'utf8').split('\n').slice(1);
  for (const line of books.filter((one) => one !== '')) {
    const { updates, rejected } = mapper.map(line.slice(line.indexOf(': ') + 2));
    assert.deepEqual(updates, []);
    assert.equal(rejected.length, 1);
  }
});

test('binance: the announced end of a connection replaces it', () => {
  const mapper = new BinanceMapper([]);
  const message = JSON.stringify({ e: 'serverShutdown', E: start });
  assert.deepEqual(mapper.map(message), { updates: [], rejected: [], closesSoon: true });
});

test('binance: an instant or a price that cannot be right is rejected', () => {
  const mapper = new BinanceMapper(['BTC' as Ticker]);
  const good = JSON.parse(frame('BTCUSDT', 0, 1, '97000.1')) as { data: Record<string, unknown> };
  for (const [change, reason] of [
    [{ E: 0 }, 'bad-instant'],
    [{ E: -62_135_596_800_000 }, 'bad-instant'],
    [{ E: '2026-11-20' }, 'bad-instant'],
    [{ E: undefined }, 'bad-instant'],
    [{ c: 'NaN' }, 'unintelligible'],
    [{ c: '-5' }, 'unintelligible'],
    [{ c: '0.-10000' }, 'unintelligible'],
    [{ c: null }, 'unintelligible'],
    [{ c: 97_000 }, 'unintelligible'],
    [{ L: 'x' }, 'unintelligible'],
    [{ c: '0.00000000', L: -1 }, 'no-price'],
  ] as const) {
    const text = JSON.stringify({ ...good, data: { ...good.data, ...change } });
    const { updates, rejected } = mapper.map(text);
    assert.deepEqual(updates, [], text);
    assert.deepEqual(
      rejected.map((one) => one.reason),
      [reason],
      text,
    );
  }
});
