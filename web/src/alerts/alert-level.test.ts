import assert from 'node:assert/strict';
import { test } from 'node:test';

import { neverHas, readLevel } from './alert-level.ts';
import type { AlertKind } from './alert.ts';

const share = { tipo: 'accion', unidadVariacion: 'por-ciento' } as const;
const rate = { tipo: 'tasa', unidadVariacion: 'puntos' } as const;

function read(kind: AlertKind, text: string, info: typeof share | typeof rate = share) {
  const result = readLevel(kind, text, info);
  return 'level' in result ? result.level : result.problem;
}

test('levels are read as they are written in Argentina', () => {
  assert.equal(read('precio', ' 7.500,50 '), 7500.5);
  assert.equal(read('precio', '-1,5', rate), -1.5);
  assert.equal(read('variacion', '+7,75'), 7.75);
  assert.equal(read('variacion', '−3,5 %'), -3.5);
  assert.equal(read('variacion', '- 3 %'), -3);
  assert.equal(read('variacion', '0'), 0);
  assert.equal(read('variacion', '+12 pts', rate), 12);
  assert.equal(read('volumen', '1.000.000'), 1_000_000);
  assert.equal(read('spread', '0,75%'), 0.75);
});

test('a level that says nothing is refused with what to enter', () => {
  assert.equal(read('precio', ''), 'Falta el precio.');
  assert.equal(read('spread', ' '), 'Falta el spread.');
  assert.equal(read('precio', 'ochenta'), 'El precio no es un número. Ejemplo: 7.500,50');
  assert.equal(read('precio', '5 %'), 'El precio no es un número. Ejemplo: 7.500,50');
  assert.equal(read('variacion', '+'), 'La variación no es un número. Ejemplo: +3,5 %');
  assert.equal(read('variacion', '+3 %', rate), 'La variación no es un número. Ejemplo: +3,5 pts');
  assert.equal(read('volumen', '1e6'), 'El volumen no es un número. Ejemplo: 1.000.000');
});

test('a level that can never be reached is refused', () => {
  for (const text of ['0', '0,00', '-5']) {
    assert.equal(read('precio', text), 'El precio tiene que ser mayor que cero.');
    assert.equal(read('volumen', text), 'El volumen tiene que ser mayor que cero.');
    assert.equal(read('spread', text), 'El spread tiene que ser mayor que cero.');
  }
  assert.match(String(read('spread', '200')), /^El spread es una parte del precio medio/);
  assert.equal(read('variacion', '-100,5'), 'Ningún precio baja más de 100 %.');
  assert.equal(read('variacion', '-150', rate), -150);
});

test('a change without a sign is refused, because "falls to 3 %" may mean both directions', () => {
  assert.equal(read('variacion', '3'), 'Falta el signo de la variación: + o −.');
});

test('only an instrument that may have a volume has an alert on it', () => {
  assert.equal(neverHas('volumen', share), undefined);
  assert.equal(neverHas('precio', rate), undefined);
  assert.match(String(neverHas('volumen', rate)), /^Esta especie no tiene volumen/);
});
