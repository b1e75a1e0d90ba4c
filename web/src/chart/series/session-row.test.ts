import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Quote } from '../../market/api/quote.ts';
import { withSession } from './session-row.ts';

const stored = [
  { especie: 'GGAL', fecha: '2026-11-19', ultimo: 7300, volumen: 5 },
  { especie: 'GGAL', fecha: '2026-11-20', ultimo: 7400, volumen: null },
];
const quote: Quote = {
  especie: 'GGAL',
  fecha: '2026-11-24',
  hora: '11:30:00',
  ultimo: 7410.5,
  variacion: 0.14,
  anterior: 7400,
  apertura: 7390,
  maximo: 7420,
  minimo: 7380,
  varMTD: null,
  varYTD: null,
  volumen: 1200,
};

test('the session in progress is the last row, with the prices and the volume of its quote', () => {
  assert.deepEqual(withSession(stored, quote), [
    ...stored,
    {
      especie: 'GGAL',
      fecha: '2026-11-24',
      ultimo: 7410.5,
      apertura: 7390,
      maximo: 7420,
      minimo: 7380,
      volumen: 1200,
    },
  ]);
  const { apertura: _, ...withoutOpen } = quote;
  assert.ok(!('apertura' in (withSession(stored, withoutOpen).at(-1) ?? {})));
});

test('a stored close is never replaced or repeated by a quote of its session', () => {
  assert.equal(withSession(stored, { ...quote, fecha: '2026-11-20' }), stored);
});

test('a quote of a session before the last stored close adds no row', () => {
  assert.equal(withSession(stored, { ...quote, fecha: '2026-11-18' }), stored);
});

test('the first session of an instrument is its only row, and without a quote there is none', () => {
  assert.deepEqual(
    withSession([], quote).map(({ fecha }) => fecha),
    ['2026-11-24'],
  );
  assert.equal(withSession(stored, undefined), stored);
});
