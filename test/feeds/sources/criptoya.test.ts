import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { criptoyaType, mapCoin, mapDollars } from '../../../src/feeds/sources/criptoya.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { testPolledSource } from './source-suite.ts';

const now = Date.parse('2026-11-20T18:00:00Z');
const ticker = 'BTC/ARS' as Ticker;

function payload(name: string): string {
  return readFileSync(join(import.meta.dirname, '../payloads', name), 'utf8');
}

testPolledSource({
  type: criptoyaType,
  universe: makeUniverse([
    { ticker: 'DOLAR CRIPTO', kind: 'exchange-rate', market: 'CRIPTO' },
    { ticker: 'BTC/ARS', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'ETH/ARS', kind: 'crypto', market: 'CRIPTO' },
  ]),
  config: { instruments: { exclude: ['ETH/ARS'] } },
  now,
  respond: ({ url }) => {
    if (url === '/api/dolar') return { body: payload('criptoya-dolar.json') };
    return url === '/api/BTC/ARS/0.1' ? { body: payload('criptoya-btc-ars.json') } : undefined;
  },
  emptyBodies: ['{}', '[]', '"Invalid pair"'],
  // The median of the midpoints of four exchanges. One of them is a hundred times too large.
  expected: [
    {
      ticker: 'DOLAR CRIPTO' as Ticker,
      at: Date.parse('2026-11-20T17:59:30Z'),
      last: 1588.4,
      bid: 1581.2,
      ask: 1588.4,
    },
    { ticker, at: Date.parse('2026-11-20T17:59:35Z'), last: 145_100_000.125 },
  ],
});

test('criptoya: quotes that are old, in the future, crossed or without a price do not count', () => {
  const body: unknown = JSON.parse(payload('criptoya-btc-ars.json'));
  const { rejected } = mapCoin(body, { ticker, snapshotAt: now });
  assert.deepEqual(fieldsIn(rejected, 'symbol', 'reason'), [
    'BTC/ARS closed no-price',
    'BTC/ARS crossed crossed',
    'BTC/ARS stale outdated',
    'BTC/ARS future bad-instant',
    'BTC/ARS year1 bad-instant',
  ]);
});

test('criptoya: fewer than three exchanges with a current quote give no price', () => {
  const quote = { ask: 102, bid: 100, time: now / 1_000 };
  const { updates, rejected } = mapCoin({ one: quote, two: quote }, { ticker, snapshotAt: now });
  assert.deepEqual(updates, []);
  assert.deepEqual(fieldsIn(rejected, 'reason'), ['incomplete']);
  const three = mapCoin({ one: quote, two: quote, three: quote }, { ticker, snapshotAt: now });
  assert.deepEqual(three.updates, [{ ticker, at: now, last: 101 }]);
});

test('criptoya: an exchange of an unknown form does not affect the others', () => {
  const quote = { ask: 102, bid: 100, time: now / 1_000 };
  const body = {
    a: quote,
    b: quote,
    c: quote,
    d: null,
    e: 'x',
    f: { ask: '102', bid: 1, time: 1 },
  };
  assert.equal(mapCoin(body, { ticker, snapshotAt: now }).updates.length, 1);
});

test('criptoya: the dollars of an earlier form of the document are a fault, and not a price', () => {
  for (const body of [{ oficial: 1_500, blue: 1_560 }, { cripto: 1_588 }, { cripto: {} }, null]) {
    const map = (): unknown => mapDollars(body, { ticker, snapshotAt: now });
    assert.throws(map, { code: 'unintelligible' });
  }
});

test('criptoya: a crypto dollar whose instant is zero is rejected', () => {
  const body = { cripto: { usdt: { ask: 1_588, bid: 1_580, timestamp: 0 } } };
  const { updates, rejected } = mapDollars(body, { ticker, snapshotAt: now });
  assert.deepEqual(updates, []);
  assert.equal(rejected[0]?.reason, 'bad-instant');
});

test('criptoya: the recorded quote of one exchange is read, and is too few for a price', (t) => {
  const path = sharedOrSkip(t, 'payloads/criptoya/btc-ars-20241003.json');
  if (path === undefined) return;
  const body: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const snapshotAt = Date.parse('2024-10-03T23:30:00Z');
  const { updates, rejected } = mapCoin(body, { ticker, snapshotAt });
  assert.deepEqual(updates, []);
  assert.deepEqual(fieldsIn(rejected, 'reason'), ['incomplete']);
});
