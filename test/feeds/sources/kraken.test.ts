import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { FeedFault } from '../../../src/feeds/contract/feed.ts';
import {
  krakenTickers,
  krakenType,
  mapKraken,
  subscription,
  tickersByPair,
} from '../../../src/feeds/sources/kraken.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type Responder } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { playHistory, testHistoryFaults, testSocketSource } from './source-suite.ts';

const start = Date.parse('2026-11-20T18:00:00Z');

/** A trade as the source sends it, with made-up values. */
function trade(symbol: string, afterMs: number, price: unknown): object {
  const timestamp = new Date(start + afterMs).toISOString().replace('Z', '417Z');
  return {
    symbol,
    side: 'buy',
    price,
    qty: 0.01,
    ord_type: 'market',
    trade_id: afterMs,
    timestamp,
  };
}

function frame(type: 'snapshot' | 'update', ...data: readonly object[]): string {
  return JSON.stringify({ channel: 'trade', type, data });
}

function update(ticker: string, afterMs: number, last: number): Update {
  return { ticker: ticker as Ticker, at: start + afterMs, last };
}

const status = { system: 'online', api_version: 'v2', connection_id: 1, version: '2.0.0' };

testSocketSource({
  type: krakenType,
  universe: makeUniverse([
    { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'ETH', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'SOL', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'GGAL' },
  ]),
  config: { instruments: { exclude: ['SOL'] } },
  now: start + 10_000,
  subscriptions: 1,
  frames: [
    JSON.stringify({ channel: 'status', type: 'update', data: [status] }),
    JSON.stringify({ method: 'subscribe', success: true, result: { symbol: 'BTC/USD' } }),
    frame('snapshot', trade('BTC/USD', -2_000, 97_000.1), trade('BTC/USD', 0, 97_100)),
    frame('snapshot', trade('ETH/USD', 10, 3_350)),
    JSON.stringify({ channel: 'heartbeat' }),
    frame('update', trade('BTC/USD', 3_000, 96_900)),
    frame('update', trade('SOL/USD', 3_005, 140), trade('ETH/USD', 3_010, 0)),
    frame('update', trade('BTC/USD', 4_000, 97_050.25)),
  ],
  expected: [
    update('BTC', -2_000, 97_000.1),
    update('BTC', 0, 97_100),
    update('ETH', 10, 3_350),
    update('BTC', 3_000, 96_900),
    update('BTC', 4_000, 97_050.25),
  ],
});

const tickers = tickersByPair(krakenTickers.map((ticker) => ticker as Ticker));

test('kraken: one message subscribes to the trades of all instruments, with the latest ones', () => {
  assert.deepEqual(JSON.parse(subscription(['BTC', 'DOGE'] as Ticker[])), {
    method: 'subscribe',
    params: { channel: 'trade', symbol: ['BTC/USD', 'DOGE/USD'], snapshot: true },
  });
});

test('kraken: an instant or a price that cannot be right is rejected, and the other trades are not', () => {
  for (const [change, reason] of [
    [{ timestamp: '1970-01-01T00:00:00.000000Z' }, 'bad-instant'],
    [{ timestamp: '0001-01-01T00:00:00Z' }, 'bad-instant'],
    [{ timestamp: '2026-11-20T18:00:00' }, 'bad-instant'],
    [{ timestamp: 1_795_197_600 }, 'bad-instant'],
    [{ timestamp: undefined }, 'bad-instant'],
    [{ price: '97000.1' }, 'unintelligible'],
    [{ price: null }, 'unintelligible'],
    [{ price: 0 }, 'no-price'],
    [{ symbol: 7 }, 'unintelligible'],
    [{ symbol: 'XBT/EUR' }, 'no-instrument'],
  ] as const) {
    const bad = { ...trade('BTC/USD', 0, 97_000), ...change };
    const mapped = mapKraken(frame('update', bad, trade('ETH/USD', 5, 3_350)), tickers);
    assert.deepEqual(mapped.updates, [update('ETH', 5, 3_350)]);
    assert.deepEqual(
      mapped.rejected.map((one) => one.reason),
      [reason],
      JSON.stringify(change),
    );
  }
});

test('kraken: a pair that the source refuses is named, and the connection stays', () => {
  const refusal = {
    error: 'Currency pair not supported BNB/USD',
    method: 'subscribe',
    success: false,
    symbol: 'BNB/USD',
  };
  assert.deepEqual(mapKraken(JSON.stringify(refusal), tickers), {
    updates: [],
    rejected: [
      { reason: 'not-offered', sample: 'Currency pair not supported BNB/USD', symbol: 'BNB/USD' },
    ],
  });
});

test('kraken: a limit of requests and a maintenance end the connection', () => {
  const limit = { error: 'Exceeded msg rate', method: 'subscribe', success: false };
  const maintenance = { channel: 'status', data: [{ ...status, system: 'maintenance' }] };
  for (const [message, code] of [
    [limit, 'limited'],
    [maintenance, 'unavailable'],
  ] as const) {
    assert.throws(
      () => mapKraken(JSON.stringify(message), tickers),
      (fault) => fault instanceof FeedFault && fault.code === code,
    );
  }
});

test('kraken: recorded messages of the API v1 give no update', (t) => {
  const path = sharedOrSkip(t, 'payloads/kraken');
  if (path === undefined) return;
  const frames = readFileSync(join(path, 'ws-v1-handle-data.ndjson'), 'utf8').trim().split('\n');
  for (const one of frames) {
    const { updates } = mapKraken(one, tickers);
    assert.deepEqual(updates, []);
  }
});

/** An hour as the source sends it, with made-up values. */
function hour(at: string, close: string, [high, low] = ['98000.5', '95000.0']): unknown[] {
  return [Date.parse(at) / 1_000, '96000.1', high, low, close, '96500.0', '0.5', 9];
}

function bars(...hours: readonly unknown[]): Responder {
  return fixed(200, {}, JSON.stringify({ error: [], result: { XXBTZUSD: hours, last: 1 } }));
}

/** What the history source says about BTC when the server answers in this way. */
async function history(respond: Responder) {
  const universe = makeUniverse([{ ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' }]);
  const source = { type: krakenType, universe, now: start };
  const asked = { ticker: 'BTC', from: '2026-11-16', to: '2026-11-20', respond };
  const { urls, closes, rejected } = await playHistory(source, asked);
  return { urls, closes, rejected };
}

testHistoryFaults(krakenType, history);

test('kraken: history composes the days of Buenos Aires from hours, without the day that is cut', async () => {
  const answer = bars(
    // The rest of a day, whose range is not known.
    hour('2026-11-18T01:00:00Z', '96100.0'),
    hour('2026-11-18T02:00:00Z', '96200.0'),
    hour('2026-11-18T03:00:00Z', '97000.0', ['99000.0', '96500.0']),
    hour('2026-11-19T02:00:00Z', '97100.5', ['98500.0', '94000.0']),
    hour('2026-11-19T03:00:00Z', '97150.0'),
    hour('2026-11-20T02:00:00Z', '97200.0'),
    // The day that has not ended.
    hour('2026-11-20T03:00:00Z', '97300.0'),
  );
  const prices = { volume: 1, open: 96_000.1 };
  assert.deepEqual(await history(answer), {
    urls: ['/0/public/OHLC?pair=XBTUSD&interval=60'],
    closes: [
      { date: '2026-11-18', close: 97_100.5, ...prices, high: 99_000, low: 94_000 },
      { date: '2026-11-19', close: 97_200, ...prices, high: 98_000.5, low: 95_000 },
    ],
    rejected: [],
  });
});

test('kraken: hours without a price or an instant make no close', async () => {
  const answer = bars(
    hour('2026-11-18T03:00:00Z', '97000.0'),
    hour('2026-11-19T02:00:00Z', 'NaN'),
    hour('2026-11-19T03:00:00Z', '97150.0'),
    hour('1970-01-01T00:00:00Z', '97150.0'),
    'text',
  );
  const { closes, rejected } = await history(answer);
  assert.deepEqual(fieldsIn(closes, 'date'), ['2026-11-19']);
  assert.deepEqual(rejected, ['no-price', 'unintelligible', 'unintelligible']);
});

function error(text: string): Responder {
  return fixed(200, {}, JSON.stringify({ error: [text] }));
}

test('kraken: an error with status 200 is a fault, and an unknown pair is named as missing', async () => {
  const unknown = await history(error('EQuery:Unknown asset pair'));
  assert.deepEqual([unknown.closes, unknown.rejected], [[], ['not-offered']]);
  for (const [respond, code] of [
    [error('EGeneral:Too many requests'), 'limited'],
    [error('EAPI:Rate limit exceeded'), 'limited'],
    [error('EService:Unavailable'), 'unavailable'],
    [error('EGeneral:Internal error'), 'unintelligible'],
    [bars(), 'unintelligible'],
  ] as const) {
    await assert.rejects(history(respond), { code });
  }
});
