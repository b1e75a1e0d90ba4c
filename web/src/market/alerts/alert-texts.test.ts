import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Alert, Sight } from './alert.ts';
import {
  conditionText,
  crossingText,
  distanceText,
  firedText,
  stateName,
  waitText,
} from './alert-texts.ts';

const share = { tipo: 'accion', unidadVariacion: 'por-ciento' } as const;
const rate = { tipo: 'tasa', unidadVariacion: 'puntos' } as const;

const price: Alert = { id: 'a', ticker: 'GGAL', kind: 'precio', way: 'sube', level: 7500.5 };
const change: Alert = { ...price, kind: 'variacion', way: 'baja', level: -3.25 };
const volume: Alert = { ...price, kind: 'volumen', level: 1_000_000 };
const spread: Alert = { ...price, kind: 'spread', level: 0.75 };
const below: Sight = { side: 'below', session: '2026-11-20' };
const above: Sight = { ...below, side: 'above' };
const crossed = { value: 7510, fecha: '2026-11-20', hora: '15:03:11', at: 1 };

test('a condition says what is watched, with the unit', () => {
  assert.equal(conditionText(price, share), 'GGAL sube hasta 7.500,50');
  assert.equal(conditionText(change, share), 'GGAL: la variación baja hasta −3,25\u00a0%');
  assert.equal(conditionText(change, rate), 'GGAL: la variación baja hasta −3,25\u00a0pts');
  assert.equal(conditionText(volume, share), 'GGAL: el volumen llega a 1.000.000');
  assert.equal(conditionText(spread, rate), 'GGAL: el spread sube hasta 0,75\u00a0%');
  assert.equal(conditionText(price, rate), 'GGAL sube hasta 7.500,50\u00a0%');
  assert.equal(
    firedText({ ...price, kind: 'tir', level: 9.5 }, share),
    'GGAL: la TIR subió hasta 9,50\u00a0%',
  );
});

test('a crossing has its value, its day and its time', () => {
  assert.equal(crossingText('precio', crossed, share), '7.510,00 el 20/11/2026 a las 15:03:11');
  const { hora: _, ...timeless } = crossed;
  assert.equal(crossingText('volumen', timeless, undefined), '7.510 el 20/11/2026');
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

test('a distance is a share of the price, and points of what is in percent', () => {
  assert.equal(
    distanceText({ ...price, level: 7_500 }, 7_400, share),
    'Último: 7.400,00, a 1,35\u00a0% del nivel',
  );
  assert.equal(distanceText(change, 1, share), 'Ahora: +1,00\u00a0%, a 4,25\u00a0pts del nivel');
  assert.equal(
    distanceText({ ...price, level: 30 }, 28.5, rate),
    'Último: 28,50\u00a0%, a 1,50\u00a0pts del nivel',
  );
  assert.equal(distanceText(volume, 400_000, share), 'Ahora: 400.000, a 600.000 del nivel');
});
