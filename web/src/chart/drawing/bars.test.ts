import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canDrawCandles, changeOf, dailyBars, intradayBars } from './bars.ts';

const close = { especie: 'X', ultimo: 2, volumen: 7 };
const whole = { ...close, apertura: 1, maximo: 3, minimo: 0.5 };
const closeOf = (fecha: string, ultimo: number) => ({ ...close, fecha, ultimo });
const minute = { ...whole, fecha: '2026-11-20', hora: '11:05:00' };

test('a daily bar has a range only if open, high and low are all known', () => {
  const rows = [
    { ...whole, fecha: '2026-11-18' },
    { ...close, fecha: '2026-11-19' },
    { ...close, fecha: '2026-11-20', apertura: 1, maximo: 3 },
  ];
  assert.deepEqual(dailyBars(rows), [
    {
      time: '2026-11-18',
      day: '2026-11-18',
      close: 2,
      range: { open: 1, high: 3, low: 0.5 },
      volume: 7,
    },
    { time: '2026-11-19', day: '2026-11-19', close: 2, volume: 7 },
    { time: '2026-11-20', day: '2026-11-20', close: 2, volume: 7 },
  ]);
});

test('the axis shows an intraday bar at its Buenos Aires time', () => {
  const [bar] = intradayBars([minute]);
  assert.equal(bar?.time, Date.UTC(2026, 10, 20, 11, 5) / 1000);
  assert.equal(bar?.day, '2026-11-20');
  assert.deepEqual(bar?.range, { open: 1, high: 3, low: 0.5 });
});

test('the times of a session that continues after midnight increase', () => {
  const bars = intradayBars([
    { ...minute, hora: '23:55:00' },
    { ...minute, hora: '00:00:00' },
    { ...minute, hora: '00:05:00' },
  ]);
  assert.deepEqual(
    bars.map(({ time }) => new Date(Number(time) * 1000).toISOString().slice(0, 16)),
    ['2026-11-20T23:55', '2026-11-21T00:00', '2026-11-21T00:05'],
  );
});

test('candles need the range of at least half of the visible bars', () => {
  const bars = dailyBars([
    { ...close, fecha: '2026-11-17' },
    { ...close, fecha: '2026-11-18' },
    { ...close, fecha: '2026-11-19' },
    { ...whole, fecha: '2026-11-20' },
  ]);
  assert.equal(canDrawCandles(bars, '2026-11-18'), false);
  assert.equal(canDrawCandles(bars, '2026-11-19'), true);
  assert.equal(canDrawCandles(bars.slice(0, 1), '2026-11-17'), false);
  assert.equal(canDrawCandles([], '2026-11-17'), false);
});

test('the change of a bar is that from the day before, also for the bars of one day', () => {
  const daily = dailyBars([closeOf('2026-11-19', 10), closeOf('2026-11-20', 8)]);
  const changes = (bars: typeof daily) =>
    bars.map((bar) => changeOf(bar, { bars, quote: undefined }));
  assert.deepEqual(changes(daily), [null, -2]);
  const intraday = intradayBars([
    { ...minute, fecha: '2026-11-19', ultimo: 10 },
    { ...minute, hora: '11:00:00', ultimo: 13 },
    { ...minute, hora: '11:05:00', ultimo: 12 },
  ]);
  assert.deepEqual(changes(intraday), [null, 3, 2]);
});

test('the bar of the session of the quote has the change of the quote, and no other bar has', () => {
  const quote = {
    especie: 'X',
    fecha: '2026-11-20',
    ultimo: 8,
    variacion: 1.5,
    varMTD: null,
    varYTD: null,
    volumen: null,
  };
  const rows = [10, 9, 8].map((ultimo, at) => closeOf(`2026-11-${18 + at}`, ultimo));
  const bars = dailyBars(rows);
  const changes = (of: typeof quote | (Omit<typeof quote, 'variacion'> & { variacion: null })) =>
    bars.map((bar) => changeOf(bar, { bars, quote: of }));
  assert.deepEqual(changes(quote), [null, -1, 1.5]);
  assert.deepEqual(changes({ ...quote, fecha: '2026-11-19' }), [null, -1, -1]);
  assert.deepEqual(changes({ ...quote, variacion: null }), [null, -1, -1]);
});
