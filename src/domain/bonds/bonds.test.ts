import assert from 'node:assert/strict';
import { test } from 'node:test';
import { al30, cerZero } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Bonds } from './bonds.ts';

const universe = makeUniverse(
  ['AL30', 'AL30D', 'AL30C', 'TZXD7', 'OTRO'].map((ticker) => ({ ticker, kind: 'bond' as const })),
  [al30, cerZero],
);

test('every class of an issue is the same bond, built once', () => {
  const bonds = new Bonds(universe);
  const find = (ticker: string) => {
    const instrument = universe.find(ticker) ?? assert.fail(ticker);
    return bonds.of(instrument);
  };
  assert.equal(find('AL30')?.terms.ticker, 'AL30');
  assert.equal(find('AL30D'), find('AL30'));
  assert.equal(find('AL30C'), find('AL30'));
  assert.equal(find('TZXD7')?.flows.length, 1);
  assert.equal(find('OTRO'), undefined);
});

test('payments move by the calendar of the market of the bond', () => {
  const bond = new Bonds(universe).of({ ticker: al30.ticker });
  // 2027-01-09 is a Saturday.
  const flow = bond?.flows.find(({ date }) => date === '2027-01-09');
  assert.equal(flow?.paid, '2027-01-11');
});
