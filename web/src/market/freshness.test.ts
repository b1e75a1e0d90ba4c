import assert from 'node:assert/strict';
import { test } from 'node:test';

import { freshnessIn } from './freshness.ts';

const market = { rueda: '2026-11-20' };

test('a quote of the session under way, or of the last one, is current', () => {
  assert.equal(freshnessIn(market, '2026-11-20', false), 'current');
});

test('a quote of a session before that is of an earlier one', () => {
  assert.equal(freshnessIn(market, '2026-11-19', false), 'earlier');
  assert.equal(freshnessIn(market, '2022-03-04', false), 'earlier');
});

test('nothing is known of a quote while the service is silent, or its market is not known', () => {
  assert.equal(freshnessIn(market, '2026-11-20', true), 'unknown');
  assert.equal(freshnessIn(market, '2022-03-04', true), 'unknown');
  assert.equal(freshnessIn(undefined, '2026-11-20', false), 'unknown');
});
