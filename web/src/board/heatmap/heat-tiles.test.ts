import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Quote } from '../../market/api/quote.ts';
import { heatGroups, heatKinds, heatStep, scaleOf, type HeatTile } from './heat-tiles.ts';

const session = '2026-11-20';
const freshnessOf = ({ fecha }: Quote) => (fecha < session ? 'earlier' : 'current');

function row(ticker: string, monto?: number, fecha = session) {
  const quote: Quote = {
    especie: ticker,
    fecha,
    ultimo: 1,
    variacion: 2,
    varMTD: null,
    varYTD: null,
    volumen: null,
    ...(monto === undefined ? {} : { monto }),
  };
  return { ticker, quote };
}

test('instruments in different currencies are in different groups, the largest group first', () => {
  const rows = [row('AL30D', 9), row('AL30', 5), row('GD30', 7)];
  const groups = heatGroups(rows, (ticker) => (ticker.endsWith('D') ? 'USD' : 'ARS'), freshnessOf);
  assert.deepEqual(
    groups.map(({ currency, traded }) => [currency, traded.map(({ ticker }) => ticker)]),
    [
      ['ARS', ['GD30', 'AL30']],
      ['USD', ['AL30D']],
    ],
  );
});

test('every instrument is in one group once, with or without a traded amount', () => {
  const rows = [row('A', 3), row('B', 0), row('C'), { ticker: 'D', quote: undefined }];
  const [group] = heatGroups(rows, () => undefined, freshnessOf);
  assert.deepEqual(
    group?.traded.map(({ ticker }) => ticker),
    ['A'],
  );
  assert.deepEqual(
    group?.others.map(({ ticker }) => ticker),
    ['B', 'C', 'D'],
  );
});

test('a quote of an earlier session has no area, whatever its amount, and keeps its day', () => {
  const [group] = heatGroups([row('OLD', 900, '2022-03-04'), row('A', 3)], () => '', freshnessOf);
  assert.deepEqual(
    group?.traded.map(({ ticker }) => ticker),
    ['A'],
  );
  assert.deepEqual(
    group?.others.map(({ ticker, freshness, day }) => [ticker, freshness, day]),
    [['OLD', 'earlier', '2022-03-04']],
  );
});

test('the colour of a change grows with its size, and has the direction of its sign', () => {
  const changes = [-9, -3, -2.99, -0.5, 0, null, 0.01, 1.5, 3];
  assert.deepEqual(
    changes.map((change) => heatStep(change, 'percent', 3)),
    [-3, -3, -2, -1, 0, 0, 1, 2, 3],
  );
});

test('a change in points, such as that of country risk, has no colour', () => {
  assert.deepEqual(
    [-120, 0, 0.5].map((change) => heatStep(change, 'points', 1)),
    [0, 0, 0],
  );
});

const day = (...changes: readonly (number | null)[]) =>
  scaleOf(
    changes.map((change): HeatTile => ({
      ticker: 'A',
      change,
      freshness: 'current',
      amount: 1,
      day: session,
    })),
  );

test('the scale follows the day: it is the narrowest on which most changes differ', () => {
  assert.equal(day(0.1, -0.3, 0.2, 0.05, 8), 1);
  assert.equal(day(0.5, -1.4, 1.2, 1.9, null), 2);
  assert.equal(day(4, -6, 9, 12), 5);
  assert.equal(day(), 1);
});

test('each instrument of a map is in one kind, whose part is that of its amounts', () => {
  const rows = [row('GGAL', 40), row('AL30', 40), row('YPFD', 20), row('TX28')];
  const [group] = heatGroups(rows, () => 'ARS', freshnessOf);
  assert.ok(group);
  const kinds = heatKinds(group, (ticker) => (/\d/.test(ticker) ? 'bono' : 'accion'));
  assert.deepEqual(
    kinds.map(({ kind, part, group: { traded } }) => [kind, part, traded.length]),
    [
      ['accion', 0.6, 2],
      ['bono', 0.4, 1],
    ],
  );
});
