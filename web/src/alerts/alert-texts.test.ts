import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Alert, Sight } from './alert.ts';
import { conditionText, crossingText, levelText, stateName, waitText } from './alert-texts.ts';
import { readLevel } from './alert-level.ts';

const price: Alert = { id: 'a', ticker: 'GGAL', kind: 'precio', way: 'sube', level: 7500.5 };
const change: Alert = { ...price, kind: 'variacion', way: 'baja', level: -3.25 };
const volume: Alert = { ...price, kind: 'volumen', level: 1_000_000 };
const spread: Alert = { ...price, kind: 'spread', level: 0.75 };
const below: Sight = { side: 'below', session: '2026-11-20' };
const above: Sight = { ...below, side: 'above' };
const crossed = { value: 7510, fecha: '2026-11-20', hora: '15:03:11', at: 1 };

test('a condition says what is watched, with the unit', () => {
  assert.equal(conditionText(price, 'percent'), 'GGAL sube hasta 7.500,50');
  assert.equal(conditionText(change, 'percent'), 'GGAL: la variación baja hasta −3,25\u00a0%');
  assert.equal(conditionText(change, 'points'), 'GGAL: la variación baja hasta −3,25\u00a0pts');
  assert.equal(conditionText(volume, 'percent'), 'GGAL: el volumen llega a 1.000.000');
  assert.equal(conditionText(spread, 'points'), 'GGAL: el spread sube hasta 0,75\u00a0%');
});

test('a crossing has its value, its day and its time', () => {
  assert.equal(crossingText('precio', crossed, 'percent'), '7.510,00 el 20/11/2026 a las 15:03:11');
  const { hora: _, ...timeless } = crossed;
  assert.equal(crossingText('volumen', timeless, undefined), '7.510 el 20/11/2026');
});

test('a level is offered for a change as it would be entered', () => {
  const info = { tipo: 'accion', unidadVariacion: 'por-ciento' } as const;
  for (const alert of [price, change, volume, spread, { ...price, level: 0.000_000_12 }]) {
    assert.deepEqual(readLevel(alert.kind, levelText(alert), info), { level: alert.level });
  }
});

test('the state of an alert is one word, and says what it waits for', () => {
  const states = [
    [price, below, 'Activa', ''],
    [price, undefined, 'En espera', 'Espera el primer precio.'],
    [
      price,
      above,
      'En espera',
      'El precio ya está por encima o es igual. Se activa cuando vuelva.',
    ],
    [
      change,
      { ...below, crossed },
      'Avisó',
      'La variación ya está por debajo o es igual. Se activa cuando vuelva, o con la próxima rueda.',
    ],
    [volume, above, 'En espera', 'El volumen ya llegó. Se activa con la próxima rueda.'],
    [{ ...spread, isPaused: true }, below, 'En pausa', 'No avisa hasta que se reanude.'],
  ] as const;
  for (const [alert, seen, name, text] of states) {
    assert.equal(stateName(alert, seen), name);
    assert.equal(waitText(alert, seen), text);
  }
});
