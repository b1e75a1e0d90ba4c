import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { chosenKind, familyOf, hiddenFor, kindChoices } from './families.ts';

const bond = { tipo: 'bono', ley: 'AR', monedaPagos: 'USD' } as const;

test('bonds in dollars are told apart by their law and their issuer', () => {
  const plain = bondFigures({});
  assert.equal(familyOf(plain, bond), 'dolar-ar');
  assert.equal(familyOf(plain, { ...bond, ley: 'NY' }), 'dolar-ny');
  assert.equal(
    familyOf(plain, { ...bond, emisor: 'Banco Central de la República Argentina' }),
    'bopreal',
  );
  assert.equal(familyOf(plain, { ...bond, tipo: 'obligacion-negociable' }), 'on');
});

test('an index decides before the currency, and a fixed leg before both', () => {
  const pesos = { ...bond, monedaPagos: 'ARS' } as const;
  assert.equal(familyOf(bondFigures({ indice: 'CER' }), pesos), 'cer');
  assert.equal(familyOf(bondFigures({ indice: 'UVA' }), pesos), 'uva');
  assert.equal(familyOf(bondFigures({ indice: 'A3500' }), bond), 'linked');
  assert.equal(familyOf(bondFigures({ indice: 'TAMAR' }), pesos), 'variable');
  assert.equal(familyOf(bondFigures({ indice: 'TAMAR', supuesto: 'pata fija' }), pesos), 'dual');
  assert.equal(familyOf(bondFigures({}), pesos), 'fija');
});

test('a bond of which too little is known is in no other family', () => {
  assert.equal(familyOf(bondFigures({}), undefined), 'otra');
  assert.equal(familyOf(bondFigures({}), { tipo: 'bono', monedaPagos: 'USD' }), 'otra');
});

test('each choice hides the families whose yields are in something else', () => {
  for (const { value } of kindChoices) assert.equal(chosenKind(hiddenFor(value)), value);
  assert.ok(hiddenFor('real').has('dolar-ny') && !hiddenFor('real').has('cer'));
  assert.equal(chosenKind(new Set(['cer'])), undefined);
});
