import assert from 'node:assert/strict';
import { test } from 'node:test';

import { knownQuery, readQuery } from './part.ts';

function valuesOf(raw: string): readonly (readonly string[])[] | string {
  const query = readQuery(raw, ['a', 'bc']);
  return query.ok ? [query.value.a, query.value.bc] : JSON.stringify(query.problem);
}

test('contract 4.5.6: the values of each parameter are in the order sent, and unknown parameters are ignored', () => {
  assert.deepEqual(valuesOf('a=1&bc=2&a=&x=%zz&abc=3'), [['1', ''], ['2']]);
  assert.deepEqual(valuesOf(''), [[], []]);
  assert.deepEqual(valuesOf('a&bc=x=y'), [[''], ['x=y']]);
  assert.deepEqual(valuesOf('%61=1&%zz=2'), [['1'], []]);
});

test('contract 2.5.2: a plus sign and %20 are spaces, in names and in values', () => {
  assert.deepEqual(valuesOf('a=x+y%20z%2B'), [['x y z+'], []]);
});

function namesOf(raw: string): readonly string[] | undefined {
  const query = readQuery(raw, ['especie', 'panel']);
  return query.ok ? [...query.value.especie, ...query.value.panel] : undefined;
}

test('contract 4.1.5: of a list of tickers, only the malformed ones are unknown, each as it was sent', () => {
  assert.deepEqual(namesOf('especie=GGAL,%ff,A%00%2CDOLAR+MEP,%zz'), [
    'GGAL,%ff,A%00,DOLAR MEP,%zz',
  ]);
  assert.deepEqual(namesOf('especie=Ñ,AL30'), ['%d1,AL30']);
  assert.deepEqual(namesOf('panel=BON%00'), ['BON%00']);
});

test('a value that is malformed, not UTF-8, not percent-encoded or has a NUL is a problem that names it', () => {
  for (const value of ['%zz', '%', '%ff', 'ñ', '%00', 'x%00']) {
    const problem = { type: 'parameter-malformed', parameter: 'bc', value };
    assert.equal(valuesOf(`a=1&bc=${value}`), JSON.stringify(problem));
  }
});

test('contract 4.5.6: what is left of a query without its unknown parameters is as sent', () => {
  const names = ['especie', 'campos'];
  for (const [sent, left] of [
    ['especie=AL30&campos=x', 'especie=AL30&campos=x'],
    ['_=1&especie=AL30,%zz&x&campos=', 'especie=AL30,%zz&campos='],
    ['%65specie=A&%zz=1&Especie=B&&especie', '%65specie=A&especie'],
    ['_=1', ''],
  ] as const) {
    assert.equal(knownQuery(sent, names), left);
  }
});
