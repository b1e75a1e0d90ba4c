import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
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

test('bonds, corporate bonds and bills can mature, and nothing else', () => {
  for (const kind of ['bond', 'corporate-bond', 'bill'] as const) assert.ok(canMature(kind), kind);
  for (const kind of ['share', 'cedear', 'etf', 'interest-rate'] as const) {
    assert.ok(!canMature(kind), kind);
  }
});
