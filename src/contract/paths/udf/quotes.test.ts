import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Quote } from '../../../domain/quotes/quote.ts';
import { sampleQuotes, sampleUniverse } from '../../../../test/support/market/sample-market.ts';
import { quotesJson } from './quotes.ts';

function instrumentOf(ticker: string) {
  return sampleUniverse.get(ticker as Ticker);
}

/** The values of one symbol. `quote` replaces parts of the quote of the sample. */
function valuesOf(ticker: string, quote: Partial<Quote> = {}): unknown {
  const instrument = instrumentOf(ticker);
  const sample = sampleQuotes.find((one) => one.instrument === instrument) ?? assert.fail();
  const body = quotesJson([{ name: ticker, instrument, quote: { ...sample, ...quote } }]);
  const { s, d } = JSON.parse(body) as { s: string; d: [{ s: string; n: string; v: unknown }] };
  assert.deepEqual([s, d.length, d[0].s, d[0].n], ['ok', 1, 'ok', ticker]);
  return d[0].v;
}

test('contract 4.15.9: a symbol has the values of its quote, and those that are not known are absent', () => {
  assert.deepEqual(valuesOf('GGAL', { book: { bid: 7405.5, ask: 7412.25 } as Quote['book'] }), {
    lp: 7410,
    ch: 100,
    chp: 1.37,
    short_name: 'GGAL',
    exchange: 'BYMA',
    description: instrumentOf('GGAL').name,
    open_price: 7330,
    high_price: 7450,
    low_price: 7275,
    prev_close_price: 7310,
    volume: 2_154_321,
    bid: 7405.5,
    ask: 7412.25,
    spread: 6.75,
  });
  assert.deepEqual(valuesOf('COME'), {
    lp: 88.35,
    short_name: 'COME',
    exchange: 'BYMA',
    description: instrumentOf('COME').name,
    volume: 10,
  });
  const oneSided = valuesOf('COME', { book: { bid: 88.3 } as Quote['book'] });
  assert.deepEqual([Object.hasOwn(oneSided as object, 'ask')], [false]);
  assert.deepEqual((oneSided as { spread?: unknown; bid: unknown }).spread, undefined);
});

test('contract 4.15.9: a change in points has no per cent, and without a variation there is no change', () => {
  const points = valuesOf('MEP-CCL') as Record<string, unknown>;
  assert.deepEqual([points['lp'], points['ch'], 'chp' in points], [-0.4, -0.4, false]);
  const none = valuesOf('MERVAL') as Record<string, unknown>;
  assert.deepEqual([none['prev_close_price'], 'ch' in none, 'chp' in none], [0, false, false]);
});

test('contract 4.15.9: differences are those of the decimals, without a binary error', () => {
  assert.equal((valuesOf('CAUCION 1D') as Record<string, unknown>)['ch'], 1.24);
  const book = { bid: 0.1, ask: 0.3 } as Quote['book'];
  assert.equal((valuesOf('BTC', { book }) as Record<string, unknown>)['spread'], 0.2);
});

test('contract 4.15.9: entries have the order and the names of the request, unknown symbols too', () => {
  const ggal = { instrument: instrumentOf('GGAL'), quote: undefined };
  const body = quotesJson([
    { name: 'X"', instrument: undefined, quote: undefined },
    { name: 'BYMA:ggal', ...ggal },
  ]);
  const { name } = ggal.instrument;
  assert.equal(
    body,
    '{"s":"ok","d":[{"s":"error","n":"X\\"","v":{}},' +
      `{"s":"ok","n":"BYMA:ggal","v":{"short_name":"GGAL","exchange":"BYMA","description":"${name}"}}]}`,
  );
});
