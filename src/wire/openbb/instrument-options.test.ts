import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { panelOptions, tickerOptions } from './instrument-options.ts';

const universe = makeUniverse([
  { ticker: 'AL30', name: 'Bonar 2030', kind: 'bond', panels: ['BONOS', 'BON'] },
  { ticker: 'GGAL', panels: ['LID', 'LIDGEN'] },
]);

test('the panels that a condition selects have the order of the contract, without the alias', () => {
  assert.deepEqual(
    panelOptions(universe, () => true).map(({ value, label }) => `${value}: ${label}`),
    [
      'LID: Panel líder',
      'GEN: Panel general',
      'LIDGEN: Líder y general',
      'BONOS: Bonos',
      'ETF: ETFs',
      'ADR: ADRs',
      'ADRARG: ADRs argentinos',
      'VARIAS: Acciones de EE. UU.',
      'CED: CEDEARs',
      'IND: Índices y dólar',
    ],
  );
  assert.deepEqual(
    panelOptions(universe, (code, members) => code !== 'LIDGEN' && members.length > 0),
    [
      { label: 'Panel líder', value: 'LID' },
      { label: 'Bonos', value: 'BONOS' },
    ],
  );
});

test('an instrument is shown by its ticker and its name, once if they are equal', () => {
  assert.deepEqual(tickerOptions(universe.instruments), [
    { label: 'AL30 · Bonar 2030', value: 'AL30' },
    { label: 'GGAL', value: 'GGAL' },
  ]);
});
