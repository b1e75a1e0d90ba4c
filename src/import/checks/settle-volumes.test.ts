import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noActions } from '../../domain/history/corporate-actions.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';
import { CloseTargets } from '../closes/close-target.ts';
import type { TableHead } from '../layouts/layout.ts';
import { planFile } from '../plan-file.ts';
import type { ImportOptions } from '../refusals/import-refusal.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'MERVAL', kind: 'index' }]);
const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20), noActions);

function signOf(
  volumes: readonly string[],
  { close = '10.5', ...options }: ImportOptions & { readonly close?: string } = {},
): string | undefined {
  const rows = volumes.map((volume, at) => [`2024-01-${10 + at}`, close, volume]);
  const head: TableHead = {
    path: 'x.csv',
    type: 'csv',
    rows: [['fecha', 'cierre', 'volumen'], ...rows],
  };
  const plan = planFile(head, { ticker: 'GGAL', ...options }, { universe, targets });
  return plan.volumeDecimals.get(2);
}

test('a column of volumes is read with one decimal sign, which need not be that of the prices', () => {
  assert.equal(signOf(['1.234.567', '987.654', '12.345', 'abc']), ',');
  assert.equal(signOf(['987.654', '12.3456']), '.');
  assert.equal(signOf(['1,234,567', '987.5']), '.');
  assert.equal(signOf(['132.36M', '8.03K']), '.');
  assert.equal(signOf(['100', '200']), '.');
  assert.equal(signOf(['100', '200'], { close: '10,5' }), ',');
});

test('volumes that fit the sign of the prices as whole numbers are whole numbers', () => {
  assert.equal(signOf(['1,234', '987,654']), '.');
  assert.equal(signOf(['1.234', '987.654'], { close: '10,5' }), ',');
});

test('volumes that may be thousands or fractions are refused, and --decimal makes them fractions', () => {
  assert.equal(
    refusalOf(() => signOf(['987.654', '12.345'])),
    'ambiguous: the volume "987.654" may be 987.654 or 987654, and no other volume decides; if the ' +
      'first is right, set --decimal .',
  );
  assert.equal(signOf(['987.654', '12.345'], { decimal: '.' }), '.');
});

test('a column of volumes with both signs is refused with an example of each', () => {
  assert.equal(
    refusalOf(() => signOf(['1.234.567', '1,234,567'])),
    'ambiguous: the volumes "1,234,567" and "1.234.567" have different decimal signs; write them in ' +
      'one way',
  );
});

test('the volumes of an instrument that has none do not matter', () => {
  assert.equal(signOf(['987.654', '12.345'], { ticker: 'MERVAL' }), undefined);
});
