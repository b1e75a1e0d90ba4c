import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { MarketState } from '../../market/api/quote.ts';
import { freshnessOf, staleAfterMs } from './freshness.ts';

const open: MarketState = {
  codigo: 'BYMA',
  nombre: 'Bolsas y Mercados Argentinos',
  estado: 'abierto',
  rueda: '2026-11-20',
  cambia: '2026-11-20T20:00:00.000Z',
};
const changedAt = Date.parse('2026-11-20T14:00:00-03:00');
const quote = { fecha: '2026-11-20', hora: '14:00:00' };

test('a quote of the current session is fresh until it has not changed for too long', () => {
  assert.equal(freshnessOf(quote, open, changedAt + staleAfterMs), 'fresh');
  assert.equal(freshnessOf(quote, open, changedAt + staleAfterMs + 1), 'stale');
});

test('a quote of an earlier session is marked as earlier, whether its market is open or closed', () => {
  const earlier = { ...quote, fecha: '2022-03-04' };
  assert.equal(freshnessOf(earlier, open, changedAt), 'earlier');
  assert.equal(freshnessOf(earlier, { ...open, estado: 'cerrado' }, changedAt), 'earlier');
});

test('a quote without a time is fresh in its own session', () => {
  assert.equal(freshnessOf({ fecha: '2026-11-20' }, open, changedAt * 2), 'fresh');
});

test('a quote of the last session of a closed market is its close', () => {
  assert.equal(freshnessOf(quote, { ...open, estado: 'cerrado' }, changedAt), 'closed');
});

test('the freshness of a quote of an unknown market is unknown', () => {
  assert.equal(freshnessOf(quote, undefined, changedAt), 'unknown');
});
