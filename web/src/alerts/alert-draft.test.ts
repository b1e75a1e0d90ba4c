import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readDraft, wayOf, type AlertDraft } from './alert-draft.ts';

const draft: AlertDraft = {
  ticker: 'GGAL',
  info: {
    especie: 'GGAL',
    nombre: 'Grupo Financiero Galicia',
    tipo: 'accion',
    mercado: 'BYMA',
    moneda: 'ARS',
    decimales: 2,
    unidadVariacion: 'por-ciento',
  },
  kind: 'precio',
  way: undefined,
  text: '7.500',
  current: 7000,
};

test('a draft becomes the condition that it says', () => {
  const { info: _, text: __, current: ___, ...rest } = draft;
  assert.deepEqual(readDraft(draft), { condition: { ...rest, way: 'sube', level: 7500 } });
});

test('until a direction is chosen, it is that from the current value to the level', () => {
  assert.equal(wayOf({ ...draft, text: '6.900' }), 'baja');
  assert.equal(wayOf({ ...draft, text: '6.900', way: 'sube' }), 'sube');
  assert.equal(wayOf({ ...draft, text: '6.900', current: undefined }), 'sube');
  assert.equal(wayOf({ ...draft, kind: 'variacion', text: '-3', current: 1 }), 'baja');
  assert.equal(wayOf({ ...draft, kind: 'volumen', text: '1', way: 'baja' }), 'sube');
});

test('the first wrong field is named', () => {
  const fieldOf = (changes: Partial<AlertDraft>) => {
    const read = readDraft({ ...draft, ...changes });
    return 'field' in read ? [read.field, read.problem] : [];
  };
  assert.deepEqual(fieldOf({ ticker: ' ', text: 'x' }), ['ticker', 'Falta la especie.']);
  assert.deepEqual(fieldOf({ ticker: 'XX', info: undefined }), [
    'ticker',
    'La especie «XX» no existe.',
  ]);
  const index = { ...draft.info, tipo: 'indice' } as AlertDraft['info'];
  assert.equal(fieldOf({ kind: 'volumen', info: index })[0], 'kind');
  assert.equal(fieldOf({ text: '0' })[0], 'level');
});
