import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lecap } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Ticker } from './ticker.ts';
import { canMature, maturedAt } from './maturity.ts';

const universe = makeUniverse([
  { ticker: 'GGAL', panels: ['LID'] },
  { ticker: 'S13N6', kind: 'bill', maturity: '2026-11-13' },
  { ticker: 'S30N6', kind: 'bill', maturity: '2026-11-30', panels: ['BONOS'] },
  { ticker: 'US', kind: 'bond', market: 'NYSE', maturity: '2026-11-30', panels: ['ETF', 'VARIAS'] },
  { ticker: 'AL30', kind: 'bond', maturity: '2030-07-09', panels: ['BONOS'] },
]);

function matured(instant: string) {
  return maturedAt(universe, Date.parse(instant)).map(({ instrument, maturity, panels }) => [
    instrument.ticker,
    maturity,
    ...panels,
  ]);
}

function tickersAt(instant: string) {
  return matured(instant).map(([ticker]) => ticker);
}

test('an instrument has matured from the day of its maturity on, and names the panels that have it', () => {
  assert.deepEqual(matured('2026-11-12T12:00:00Z'), []);
  assert.deepEqual(matured('2026-11-29T12:00:00Z'), [['S13N6', '2026-11-13']]);
  assert.deepEqual(matured('2026-12-01T12:00:00Z'), [
    ['S13N6', '2026-11-13'],
    ['S30N6', '2026-11-30', 'BONOS'],
    ['US', '2026-11-30', 'ETF', 'VARIAS'],
  ]);
});

test('the day is that of the time zone of the market', () => {
  // 02:59 UTC is 23:59 of the day before in Buenos Aires, and 21:59 in New York.
  assert.deepEqual(tickersAt('2026-11-30T02:59:59Z'), ['S13N6']);
  assert.deepEqual(tickersAt('2026-11-30T03:00:00Z'), ['S13N6', 'S30N6']);
  assert.deepEqual(tickersAt('2026-11-30T05:00:00Z'), ['S13N6', 'S30N6', 'US']);
});

test('an instrument without a maturity matures with the terms of its issue', () => {
  const [terms, before] = [{ ...lecap, series: ['S30N6D' as Ticker] }, Date.parse('2026-11-29')];
  const both = makeUniverse(
    [
      { ticker: 'S30N6', kind: 'bill', panels: ['BONOS'] },
      { ticker: 'S30N6D', kind: 'bill', currency: 'USD', dollarClass: ['S30N6', 'mep'] },
    ],
    [terms],
  );
  assert.deepEqual(maturedAt(both, before), []);
  assert.deepEqual(
    maturedAt(both, Date.parse('2026-12-01')).map(({ instrument, maturity, panels }) => [
      instrument.ticker,
      maturity,
      panels,
    ]),
    [
      ['S30N6', '2026-11-30', ['BONOS']],
      ['S30N6D', '2026-11-30', []],
    ],
  );
});

test('bonds, corporate bonds and bills can mature, and nothing else', () => {
  for (const kind of ['bond', 'corporate-bond', 'bill'] as const) assert.ok(canMature(kind), kind);
  for (const kind of ['share', 'cedear', 'etf', 'interest-rate'] as const) {
    assert.ok(!canMature(kind), kind);
  }
});
