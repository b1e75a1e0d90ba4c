import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { BinanceMapper, binanceTickers, binanceType } from '../../../src/feeds/sources/binance.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type Responder } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { playHistory, testHistoryFaults, testSocketSource } from './source-suite.ts';

const start = Date.parse('2026-11-20T18:00:00Z');

/** A message as the combined stream of the exchange sends it, with made-up values. */
function frame(symbol: string, afterMs: number, trade: number, last: string, more = {}): string {
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
    ...more,
  };
  return JSON.stringify({ stream: `${symbol.toLowerCase()}@ticker`, data });
}

function update(ticker: string, afterMs: number, last?: number, more = {}): Update {
  const price = last === undefined ? {} : { last };
  return { ticker: ticker as Ticker, at: start + afterMs, ...price, ...more };
}

const sides = { b: '96999.50000000', B: '0.25000000', a: '97000.50000000', A: '3.00000000' };

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
    // The same trade, and another book.
    frame('BTCUSDT', 1_500, 501, '97000.10000000', sides),
    frame('BTCUSDT', 2_000, 502, '97100.00000000', { ...sides, b: '0.00000000' }),
    frame('BTCUSDT', 3_000, 503, '96900.00000000'),
    frame('ETHUSDT', 3_010, 78, '0.00000000'),
    frame('DOGEUSDT', 3_020, 9, '0.39000000'),
    frame('BTCUSDT', 4_000, 504, '97050.25000000'),
  ],
  expected: [
    update('BTC', 0, 97_000.1),
    update('ETH', 10, 3_350),
    update('BTC', 1_500, undefined, { bid: 96_999.5, bidSize: 0.25, ask: 97_000.5, askSize: 3 }),
    update('BTC', 2_000, 97_100, { bidSize: 0, ask: 97_000.5, askSize: 3 }),
    update('BTC', 3_000, 96_900),
    update('BTC', 4_000, 97_050.25),
  ],
});

test('binance: recorded messages of other pairs and streams give no update', (t) => {
  const path = sharedOrSkip(t, 'payloads/binance');
  if (path === undefined) return;
  const mapper = new BinanceMapper(binanceTickers.map((ticker) => ticker as Ticker));
  const ticker = readFileSync(join(path, 'ws-combined-ticker-BNBBTC.json'), 'utf8');
  assert.deepEqual(mapper.map(ticker).updates, []);
  assert.equal(mapper.map(ticker).rejected[0]?.reason, 'no-instrument');
  // The same recorded message, as if it were of a pair that is served: price and book are taken.
  const served = mapper.map(ticker.replaceAll('BNBBTC', 'BNBUSDT'));
  assert.deepEqual(served.updates, [
    {
      ticker: 'BNB',
      at: 1_580_254_809_477,
      last: 9_338.96,
      bid: 9_338.03,
      bidSize: 0.182346,
      ask: 9_339.7,
      askSize: 0.140976,
    },
  ]);
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

const historyUniverse = makeUniverse([
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
  { ticker: 'GGAL' },
]);

/** 15:00 in Buenos Aires. */
const historyNow = start;

/** A candlestick as the source sends it, with made-up values. */
function kline(openAt: string | number, close: string, volume = '12.5'): unknown[] {
  const at = typeof openAt === 'number' ? openAt : Date.parse(openAt);
  return [
    at,
    '96000.1',
    '98000.5',
    '95000.0',
    close,
    volume,
    at + 86_399_999,
    '1',
    9,
    '1',
    '1',
    '0',
  ];
}

/** What the history source says about BTC when the server answers in this way. */
async function history(respond: Responder, from = '2026-11-16') {
  const source = { type: binanceType, universe: historyUniverse, now: historyNow };
  const asked = { ticker: 'BTC', from, to: '2026-11-20', respond };
  const { instruments, urls, ...found } = await playHistory(source, asked);
  assert.deepEqual(instruments, ['BTC']);
  return {
    ...found,
    queries: urls.map((url) => new URL(url, 'http://localhost').searchParams),
  };
}

testHistoryFaults(binanceType, (respond) => history(respond));

test('binance: history is asked for in days of Buenos Aires, and ends with the last ended day', async () => {
  const klines = [
    kline('2026-11-18T03:00:00Z', '97000.25'),
    kline('2026-11-19T03:00:00Z', '97100.00'),
    kline('2026-11-20T03:00:00Z', '97200.00'),
  ];
  const { queries, closes, rejected } = await history(fixed(200, {}, JSON.stringify(klines)));
  const prices = { volume: 12.5, open: 96_000.1, high: 98_000.5, low: 95_000 };
  assert.deepEqual(closes, [
    { date: '2026-11-18', close: 97_000.25, ...prices },
    { date: '2026-11-19', close: 97_100, ...prices },
  ]);
  assert.deepEqual(rejected, []);
  assert.deepEqual(
    queries.map((query) => Object.fromEntries(query)),
    [
      {
        symbol: 'BTCUSDT',
        interval: '1d',
        timeZone: '-3:00',
        startTime: String(Date.parse('2026-11-16T03:00:00Z')),
        endTime: String(Date.parse('2026-11-21T03:00:00Z') - 1),
        limit: '1000',
      },
    ],
  );
});

test('binance: a long history is read in pages, and no day is missing or read twice', async () => {
  const { queries, closes } = await history((request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const [from, to] = [Number(query.get('startTime')), Number(query.get('endTime'))];
    const days = Math.min(1_000, Math.ceil((to - from) / 86_400_000));
    const klines = Array.from({ length: days }, (_, day) => kline(from + day * 86_400_000, '9.5'));
    response.end(JSON.stringify(klines));
  }, '2021-01-01');
  assert.equal(queries.length, 3);
  assert.deepEqual([closes[0]?.date, closes.at(-1)?.date], ['2021-01-01', '2026-11-19']);
  assert.equal(closes.length, 2_149);
});

test('binance: candlesticks of other days, without a price or an instant are rejected', async () => {
  const klines = [
    // A day of UTC.
    kline('2026-11-16T00:00:00Z', '97000.00'),
    kline('2026-11-17T03:00:00Z', '0.00000000'),
    kline('2026-11-18T03:00:00Z', 'NaN'),
    kline(0, '97000.00'),
    // No date has such an instant.
    kline(9e15, '97000.00'),
    'text',
    kline('2026-11-19T03:00:00Z', '97100.00'),
  ];
  const { closes, rejected } = await history(fixed(200, {}, JSON.stringify(klines)));
  assert.deepEqual(fieldsIn(closes, 'date'), ['2026-11-19']);
  assert.deepEqual(rejected, [
    'unintelligible',
    'no-price',
    'no-price',
    'unintelligible',
    'unintelligible',
    'unintelligible',
  ]);
});

test('binance: a symbol that is refused is named as missing', async () => {
  const refused = await history(fixed(400, {}, '{"code":-1121,"msg":"Invalid symbol."}'));
  assert.deepEqual([refused.closes, refused.rejected], [[], ['not-offered']]);
});
