import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { IntradayRow, Quote } from '../../market/api/quote.ts';
import { dailySeries, intradaySeries, withSession } from './live-series.ts';

function row(fecha: string, hora: string, ultimo: number): IntradayRow {
  return {
    especie: 'BTC',
    fecha,
    hora,
    apertura: ultimo,
    maximo: ultimo,
    minimo: ultimo,
    ultimo,
    volumen: 5,
  };
}

function quote(fecha: string, hora: string | undefined, ultimo: number): Quote {
  const changes = { variacion: 1, varMTD: 1, varYTD: 1 };
  return {
    especie: 'BTC',
    fecha,
    ...(hora === undefined ? {} : { hora }),
    ultimo,
    ...changes,
    volumen: 90,
  };
}

const day = '2026-11-20';
const one = { minutes: 1, sessions: 1 };

test('a price extends the bar under way, and a later one begins the next bar', () => {
  const series = intradaySeries([row(day, '16:00:00', 10)], one)
    .withQuote(quote(day, '16:00:30', 12))
    .withQuote(quote(day, '16:00:50', 9))
    .withQuote(quote(day, '16:03:10', 11));
  const [first, second, ...none] = series.bars;
  assert.deepEqual(none, []);
  assert.deepEqual(first?.range, { open: 10, high: 12, low: 9 });
  assert.deepEqual([first?.close, first?.volume], [9, 5]);
  assert.deepEqual([second?.close, second?.volume], [11, null]);
  assert.equal(Number(second?.time) - Number(first?.time), 180);
});

test('bars of fifteen minutes begin at quarters of the hour', () => {
  const cut = { minutes: 15, sessions: 5 };
  const series = intradaySeries([row(day, '15:45:00', 10)], cut);
  assert.equal(series.withQuote(quote(day, '15:59:59', 12)).bars.length, 1);
  const next = series.withQuote(quote(day, '16:01:00', 12)).bars;
  assert.equal(Number(next[1]?.time) - Number(next[0]?.time), 900);
});

test('a quote that is not newer than the bars changes none, and is the same series', () => {
  const series = intradaySeries([row(day, '16:00:00', 10)], one);
  for (const old of [
    quote(day, '15:59:59', 12),
    quote(day, undefined, 12),
    quote('2026-11-19', '16:30:00', 12),
    quote(day, '16:00:40', 10),
  ]) {
    assert.equal(series.withQuote(old), series);
  }
});

test('a session that passes midnight continues, and a later session replaces the earliest', () => {
  const late = intradaySeries([row(day, '23:59:00', 10)], one).withQuote(
    quote(day, '00:00:20', 11),
  );
  assert.equal(Number(late.bars[1]?.time) - Number(late.bars[0]?.time), 60);
  const next = late.withQuote(quote('2026-11-21', '21:00:05', 12));
  assert.deepEqual(
    next.bars.map(({ day: session }) => session),
    ['2026-11-21'],
  );
});

test('an instrument without bars gets none from a quote', () => {
  const series = intradaySeries([], one);
  assert.equal(series.withQuote(quote(day, '16:00:00', 1)), series);
});

test('the session in progress is the last daily bar, and each quote replaces it', () => {
  const rows = [{ especie: 'BTC', fecha: '2026-11-19', ultimo: 8, volumen: 1 }];
  const stored = dailySeries({ rows, omittedDividends: [] });
  const series = stored.withQuote(quote(day, '16:00:00', 9)).withQuote(quote(day, '16:00:01', 10));
  assert.deepEqual(
    series.bars.map(({ close }) => close),
    [8, 10],
  );
  assert.deepEqual([series.stored, series.rows.length], [rows, 2]);
  assert.equal(stored.withQuote(quote('2026-11-19', '16:00:00', 9)), stored);
});

const stored = [
  { especie: 'GGAL', fecha: '2026-11-19', ultimo: 7300, volumen: 5 },
  { especie: 'GGAL', fecha: '2026-11-20', ultimo: 7400, volumen: null },
];
const sessionQuote: Quote = {
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
  assert.deepEqual(withSession(stored, sessionQuote), [
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
  const { apertura: _, ...withoutOpen } = sessionQuote;
  assert.ok(!('apertura' in (withSession(stored, withoutOpen).at(-1) ?? {})));
});

test('a stored close is never replaced or repeated by a quote of its session', () => {
  assert.equal(withSession(stored, { ...sessionQuote, fecha: '2026-11-20' }), stored);
});

test('a quote of a session before the last stored close adds no row', () => {
  assert.equal(withSession(stored, { ...sessionQuote, fecha: '2026-11-18' }), stored);
});

test('the first session of an instrument is its only row, and without a quote there is none', () => {
  assert.deepEqual(
    withSession([], sessionQuote).map(({ fecha }) => fecha),
    ['2026-11-24'],
  );
  assert.equal(withSession(stored, undefined), stored);
});
