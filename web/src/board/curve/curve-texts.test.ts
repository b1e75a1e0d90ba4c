import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { countReasons, pointLines } from './curve-texts.ts';

test('a point names its family and has its figures in the formats of Argentina', () => {
  const bond = bondFigures({ paridad: 62.5, vencimiento: '2035-07-09' });
  const point = {
    ticker: 'GD35D',
    family: 'dolar-ny',
    duration: 4.1016,
    rate: 18.5341,
    isEarlier: false,
    bond,
  } as const;
  assert.deepEqual(pointLines(point, -0.354), [
    'Dólar, ley Nueva York',
    'TIR 18,53\u00a0%',
    'Duration modificada 4,10 años',
    '−35 pb bajo la curva ajustada',
    'Paridad 62,50\u00a0%',
    'Vence el 09/07/2035',
  ]);
  assert.equal(
    pointLines({ ...point, isEarlier: true }, undefined).at(-1),
    'Precio de una rueda anterior: 26/11/2026',
  );
});

test('bonds without a yield are counted by reason, the most frequent first', () => {
  const missing = [
    { ticker: 'A', reason: 'Ninguna tasa da ese precio' },
    { ticker: 'B', reason: 'Falta el valor del índice: CER del 26/11/2026' },
    { ticker: 'C', reason: 'Falta el valor del índice: A3500 del 25/11/2026' },
  ];
  assert.equal(
    countReasons(missing),
    'Falta el valor del índice (2); Ninguna tasa da ese precio (1)',
  );
});
