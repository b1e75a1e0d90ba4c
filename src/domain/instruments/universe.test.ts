import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';

function finder(...tickers: readonly string[]): (spelling: string) => string | undefined {
  const universe = makeUniverse(tickers.map((ticker) => ({ ticker })));
  return (spelling) => universe.find(spelling)?.ticker;
}

test('contract 2.5.2: the signs before the letter of a class are the same, with and without _US', () => {
  const find = finder('BRK.B_US', 'AKO-B', 'BF/A');
  for (const spelling of ['BRK.B_US', 'brk-b_us', 'BRK/B_US']) {
    assert.equal(find(spelling), 'BRK.B_US');
  }
  for (const spelling of ['AKO.B', 'AKO-B', ' ako/b ']) assert.equal(find(spelling), 'AKO-B');
  assert.equal(find('BF-A'), 'BF/A');
  for (const other of ['BRKB_US', 'BRK B_US', 'BRK.B', 'BRK..B_US', 'AKO-BB']) {
    assert.equal(find(other), undefined, other);
  }
});

test('contract 2.5.2: a sign before more than a letter is part of the ticker', () => {
  const find = finder('MEP-CCL', 'BTC/ARS', 'X.');
  for (const other of ['MEP.CCL', 'BTC-ARS', 'X-']) assert.equal(find(other), undefined, other);
});

test('contract 2.5.2: an instrument of its own is found first, and a spelling of two is none', () => {
  const find = finder('BRK.B', 'BRK-B');
  assert.equal(find('BRK.B'), 'BRK.B');
  assert.equal(find('BRK-B'), 'BRK-B');
  assert.equal(find('BRK/B'), undefined);
});
