import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapEspecies } from './origin-rows.ts';

test('a row has the ticker, and the source with its delay where they are known', () => {
  const rows = [
    { especie: 'GGAL', nombre: 'Galicia', fuente: 'byma', demoraMinutos: 20 },
    { especie: 'DOLAR MEP', demoraMinutos: 20 },
    { especie: 'AL30', fuente: 'data912' },
    { especie: 'NUEVA' },
  ];
  assert.deepEqual(mapEspecies(rows), [
    { ticker: 'GGAL', source: 'byma', delayMinutes: 20 },
    { ticker: 'DOLAR MEP', delayMinutes: 20 },
    { ticker: 'AL30', source: 'data912' },
    { ticker: 'NUEVA' },
  ]);
});

test('another body is not that of a Pizarra, and the fault says what the URL must be', () => {
  for (const value of [[1], [{ symbol: 'GGAL' }], [null]]) {
    assert.throws(() => mapEspecies(value), {
      code: 'unintelligible',
      message: /url is the part before/,
    });
  }
});
