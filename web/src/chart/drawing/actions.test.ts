import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ActionRow } from '../../market/api/series-rows.ts';
import { actionText, actionValue, lettersOf, marksOf, omittedText } from './actions.ts';
import { dailyBars, intradayBars } from './bars.ts';

const split: ActionRow = { especie: 'X', fecha: '2026-08-22', tipo: 'split', factor: 10 };
const dividend: ActionRow = {
  especie: 'X',
  fecha: '2026-08-24',
  tipo: 'dividendo',
  importe: 12.5,
  moneda: 'ARS',
};

const bars = dailyBars(
  ['2026-08-20', '2026-08-21', '2026-08-24', '2026-08-25'].map((fecha) => ({
    especie: 'X',
    fecha,
    ultimo: 1,
    volumen: null,
  })),
);

test('an action is marked on its ex date, or on the session that follows', () => {
  const marks = marksOf([split, dividend], bars);
  assert.deepEqual(marks, [{ time: '2026-08-24', actions: [split, dividend] }]);
  assert.deepEqual(marks.map(lettersOf), ['S D']);
});

test('an action on the first day is marked, and one outside of the bars is not', () => {
  const on = (fecha: string) => ({ ...split, fecha });
  assert.deepEqual(
    marksOf([on('2026-08-19'), on('2026-08-20'), on('2026-08-26')], bars).map(({ time }) => time),
    ['2026-08-20'],
  );
  assert.deepEqual(marksOf([split], []), []);
});

test('on intraday bars, an action is marked at the first bar of its session', () => {
  const minutes = ['10:30:00', '10:45:00'].map((hora) => ({
    especie: 'X',
    fecha: '2026-08-24',
    hora,
    apertura: 1,
    maximo: 1,
    minimo: 1,
    ultimo: 1,
    volumen: null,
  }));
  const intraday = intradayBars(minutes);
  assert.deepEqual(
    marksOf([dividend], intraday).map(({ time }) => time),
    [intraday[0]?.time],
  );
});

test('the value of an action has the form that is usual for its type', () => {
  assert.equal(actionValue(split), '10 por 1');
  assert.equal(actionValue({ ...split, factor: 0.1 }), '1 por 10');
  assert.equal(actionValue({ ...split, factor: 1 }), '1 por 1');
  assert.equal(actionValue({ ...split, tipo: 'ratio', factor: 1.5 }), '1,5 por 1');
  assert.equal(actionValue({ ...split, tipo: 'dividendo-acciones', factor: 1.09 }), '+9\u00a0%');
  assert.equal(actionValue({ ...split, tipo: 'escision', factor: 2.376 }), 'factor 2,376');
  assert.equal(actionValue(dividend), '12,50 ARS');
  const renamed = {
    ...split,
    especie: 'FB_US',
    tipo: 'cambio-ticker',
    detalle: 'META_US',
  } as const;
  assert.equal(actionValue(renamed), 'FB_US → META_US');
  assert.equal(actionText(split), 'Split 10 por 1 (22/08/2026)');
});

test('omitted dividends are named by their dates, and those beyond the names are counted', () => {
  assert.equal(omittedText(['2026-08-24', '2026-11-25']), '24/08/2026, 25/11/2026');
  assert.equal(omittedText(['2026-08-24', '…+3']), '24/08/2026 y 3 más');
});
