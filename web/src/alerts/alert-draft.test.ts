import assert from 'node:assert/strict';
import { test } from 'node:test';

import { neverHas, readDraft, readLevel, wayOf, type AlertDraft } from './alert-draft.ts';
import type { AlertKind } from '../market/alerts/alert.ts';
import { levelText } from '../market/alerts/alert-texts.ts';

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

const share = { tipo: 'accion', unidadVariacion: 'por-ciento' } as const;
const bond = { tipo: 'bono', unidadVariacion: 'por-ciento' } as const;
const gap = { tipo: 'brecha', unidadVariacion: 'puntos' } as const;
const rate = { tipo: 'tasa', unidadVariacion: 'puntos' } as const;

type Info = Parameters<typeof readLevel>[0]['info'];

function levelOf(kind: AlertKind, text: string, info: Info = share, current?: number) {
  const result = readLevel({ kind, text, info, current });
  return 'level' in result ? result.level : result.problem;
}

test('levels are read as they are written in Argentina', () => {
  assert.equal(levelOf('precio', ' 7.500,50 '), 7500.5);
  assert.equal(levelOf('precio', '-1,5', rate), -1.5);
  assert.equal(levelOf('variacion', '+7,75'), 7.75);
  assert.equal(levelOf('variacion', '−3,5 %'), -3.5);
  assert.equal(levelOf('variacion', '- 3 %'), -3);
  assert.equal(levelOf('variacion', '0'), 0);
  assert.equal(levelOf('variacion', '+12 pts', rate), 12);
  assert.equal(levelOf('volumen', '1.000.000'), 1_000_000);
  assert.equal(levelOf('spread', '0,75%'), 0.75);
  assert.equal(levelOf('tir', '9,5 %', bond), 9.5);
  assert.equal(levelOf('tir', '−2', bond), -2);
  assert.equal(levelOf('precio', '-5,5 %', gap), -5.5);
});

test('a level that says nothing is refused with what to enter', () => {
  assert.equal(levelOf('precio', ''), 'Falta el precio.');
  assert.equal(levelOf('spread', ' '), 'Falta el spread.');
  assert.equal(levelOf('precio', 'ochenta'), 'El precio no es un número. Ejemplo: 7.500,50');
  assert.equal(levelOf('precio', '5 %'), 'El precio no es un número. Ejemplo: 7.500,50');
  assert.equal(levelOf('variacion', '+'), 'La variación no es un número. Ejemplo: +3,5 %');
  assert.equal(
    levelOf('variacion', '+3 %', rate),
    'La variación no es un número. Ejemplo: +3,5 pts',
  );
  assert.equal(levelOf('volumen', '1e6'), 'El volumen no es un número. Ejemplo: 1.000.000');
});

test('a level that can never be reached is refused', () => {
  for (const text of ['0', '0,00', '-5']) {
    assert.equal(levelOf('precio', text), 'El precio tiene que ser mayor que cero.');
    assert.equal(levelOf('volumen', text), 'El volumen tiene que ser mayor que cero.');
    assert.equal(levelOf('spread', text), 'El spread tiene que ser mayor que cero.');
  }
  assert.match(String(levelOf('spread', '200')), /^El spread es una parte del precio medio/);
  assert.equal(levelOf('variacion', '-100,5'), 'Ningún precio baja más de 100 %.');
  assert.equal(levelOf('variacion', '-150', rate), -150);
});

test('a change without a sign is refused, because "falls to 3 %" may mean both directions', () => {
  assert.equal(levelOf('variacion', '3'), 'Falta el signo de la variación: + o −.');
});

test('only an instrument that may have a volume has an alert on it', () => {
  assert.equal(neverHas('volumen', share), undefined);
  assert.equal(neverHas('precio', rate), undefined);
  assert.match(String(neverHas('volumen', rate)), /^Esta especie no tiene volumen/);
});

test('a price with a sign and a percent sign is counted from the last price', () => {
  assert.equal(levelOf('precio', '+2 %', share, 7_500), 7_650);
  assert.equal(levelOf('precio', '−33,3 %', { ...share, decimales: 0 }, 100), 67);
  assert.match(String(levelOf('precio', '+2 %')), /no tiene un último precio/);
  assert.equal(levelOf('precio', '-100 %', share, 50), 'El precio tiene que ser mayor que cero.');
});

test('only a bond has an alert on its yield, above −100 %', () => {
  assert.equal(neverHas('tir', bond), undefined);
  assert.match(String(neverHas('tir', share)), /^Esta especie no tiene TIR/);
  assert.equal(levelOf('tir', '-100', bond), 'La TIR siempre es mayor que −100 %.');
});

test('a level is offered for a change as it would be entered', () => {
  const levels = [
    ['precio', 7_500.5],
    ['variacion', -3.25],
    ['volumen', 1_000_000],
    ['spread', 0.75],
    ['precio', 0.000_000_12],
  ] as const;
  for (const [kind, level] of levels) {
    assert.equal(levelOf(kind, levelText({ kind, level })), level);
  }
});
