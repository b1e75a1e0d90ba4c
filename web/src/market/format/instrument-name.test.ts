import assert from 'node:assert/strict';
import { test } from 'node:test';

import { localName, nameParts } from './instrument-name.ts';

test('numbers and dates of a name are written as in Argentina', () => {
  assert.equal(localName('ON IRSA 8.75% vto. 2028-06-22'), 'ON IRSA 8,75 % vto. 22/06/2028');
  assert.equal(localName('BOPREAL 5% 2027'), 'BOPREAL 5 % 2027');
  assert.equal(localName('Dólar A3500'), 'Dólar A3500');
});

test('the end of a name that tells a bond from others of its issuer is not cut', () => {
  assert.deepEqual(nameParts('Bono Global Rep. Argentina USD Step Up 2038 (especie D)'), [
    'Bono Global Rep. Argentina USD Step Up ',
    '2038 (especie D)',
  ]);
  assert.deepEqual(nameParts('ON IRSA 8,75 % vto. 22/06/2028'), [
    'ON IRSA 8,75 % vto. ',
    '22/06/2028',
  ]);
  assert.deepEqual(nameParts('Bono Rep. USD Step Up 2029 (Ley Arg.) (especie D, dólar MEP)'), [
    'Bono Rep. USD Step Up ',
    '2029…',
  ]);
  for (const name of ['Grupo Financiero Galicia S.A.', '3M Company with a long legal name', '']) {
    assert.deepEqual(nameParts(name), [name, '']);
  }
});
