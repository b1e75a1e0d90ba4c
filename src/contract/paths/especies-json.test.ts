import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWith } from '../../../test/support/http/parse-with.ts';
import { searchTextMax } from '../../wire/params/instrument-fields.ts';
import { especiesJson } from './especies-json.ts';

function problemOf(query: string): unknown {
  const parsed = parseWith(especiesJson, query);
  assert.ok(!parsed.ok, `${query} was accepted`);
  return parsed.problem;
}

test('contract 4.7.1: a query may have a text, a panel, both or none', () => {
  const cases = [
    ['', undefined, undefined],
    ['panel=LID', 'LID', undefined],
    ['buscar=gal%C3%ADcia++sa', undefined, 'GALICIA SA'],
    ['buscar=ypf&panel=LID&x=1', 'LID', 'YPF'],
  ] as const;
  for (const [query, panel, search] of cases) {
    assert.deepEqual(
      parseWith(especiesJson, query),
      { ok: true, value: { panel, search, fields: [] } },
      query,
    );
  }
});

test('contract 4.4.4: campos is a list of fields, and any other name is a problem with the valid ones', () => {
  for (const query of [
    'campos=precioPor',
    'campos=precioPor,precioPor',
    'buscar=a&campos=precioPor',
  ]) {
    const parsed = parseWith(especiesJson, query);
    assert.ok(parsed.ok, query);
    assert.deepEqual(parsed.value.fields, ['pricePer'], query);
  }
  for (const [query, value] of [
    ['campos=', ''],
    ['campos=pricePer', 'pricePer'],
    ['campos=precioPor,', ''],
    ['campos=preciopor', 'preciopor'],
  ] as const) {
    assert.deepEqual(problemOf(query), {
      type: 'field-unknown',
      value,
      valid: [
        'precioPor',
        'isin',
        'base',
        'clase',
        'emisor',
        'ley',
        'monedaPagos',
        'opcion',
        'terminos',
        'terminosRevisados',
        'terminosFuentes',
        'vencimiento',
        'titulo',
        'emision',
        'frecuencia',
        'primerCupon',
        'fechasCupon',
        'tasa',
        'conteoDias',
        'amortizacion',
        'indice',
        'rezago',
        'baseIndice',
        'margen',
        'factor',
        'tem',
        'dual',
        'ajusteFecha',
      ],
    });
  }
});

test('contract 4.7.1: a text that is empty, or only white space, is a problem', () => {
  for (const query of ['buscar=', 'buscar', 'buscar=++%20', 'buscar=%CC%81', 'buscar=&panel=LID']) {
    assert.deepEqual(problemOf(query), { type: 'search-empty' }, query);
  }
});

test('contract 4.7.1: a text has at most 100 characters', () => {
  assert.equal(searchTextMax, 100);
  const longest = parseWith(especiesJson, `buscar=${'a'.repeat(100)}`);
  assert.ok(longest.ok && longest.value.search === 'A'.repeat(100));
  assert.deepEqual(problemOf(`buscar=${'a'.repeat(101)}`), {
    type: 'search-too-long',
    count: 101,
    max: 100,
  });
});

test('contract 4.7.1: a text that is sent twice or is malformed, or another panel, is a problem', () => {
  assert.deepEqual(problemOf('buscar=a&buscar=a'), {
    type: 'parameter-repeated',
    parameter: 'buscar',
  });
  assert.deepEqual(problemOf('buscar=%C3'), {
    type: 'parameter-malformed',
    parameter: 'buscar',
    value: '%C3',
  });
  assert.equal((problemOf('buscar=a&panel=lid') as { type: string }).type, 'panel-unknown');
  assert.equal((problemOf('panel=LID&panel=LID') as { type: string }).type, 'panel-repeated');
});
