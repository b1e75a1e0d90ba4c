import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closestTo } from './closest.ts';

const tickers = ['GGLO', 'GGAL', 'GGAL_US', 'YPFD', 'YPF_US', 'AL30', 'AL30D', 'DOLAR BLUE', 'BTC'];

test('a swapped, missing, added or replaced character is found, without regard to case', () => {
  for (const [typed, meant] of [
    ['GGLA', 'GGAL'],
    ['gga', 'GGAL'],
    ['GGALL', 'GGAL'],
    ['YPFF', 'YPFD'],
    ['YPF', 'YPFD'],
    ['YPFUS', 'YPF_US'],
    ['DOLARBLU', 'DOLAR BLUE'],
    ['BCT', 'BTC'],
    ['AL3O', 'AL30'],
  ] as const) {
    assert.equal(closestTo(typed, tickers), meant, typed);
  }
});

test('a text that differs in too much has no suggestion', () => {
  for (const typed of ['', 'X', 'BC', 'ZZZ', 'TSLA', 'MERVAL', 'a'.repeat(1000)]) {
    assert.equal(closestTo(typed, tickers), undefined, typed);
  }
  assert.equal(closestTo('GGLA', []), undefined);
});

test('a short name tolerates one mistake, and a long one up to three', () => {
  for (const [typed, candidate, isMeant] of [
    ['port', 'prot', true],
    ['prto', 'sort', false],
    ['ports', 'prtso', true],
    ['interest', 'intersts', true],
    ['interest', 'itnreset', false],
    ['a'.repeat(20), `${'a'.repeat(17)}bbb`, true],
    ['a'.repeat(20), `${'a'.repeat(16)}bbbb`, false],
  ] as const) {
    assert.equal(closestTo(typed, [candidate]), isMeant ? candidate : undefined, candidate);
  }
});

test('the fewest edits count first, then the same characters, then the order of the list', () => {
  for (const [typed, candidates, meant] of [
    ['/cotizacion', ['/cotizaciones', '/cambios'], '/cotizaciones'],
    ['streamHeartBeatsM', ['streamStallMs', 'streamHeartbeatMs'], 'streamHeartbeatMs'],
    ['abcdefgh', ['badcefgh', 'abcdefgx'], 'abcdefgx'],
    ['AL3X', ['AL30', 'AL35'], 'AL30'],
  ] as const) {
    assert.equal(closestTo(typed, candidates), meant, typed);
  }
});
