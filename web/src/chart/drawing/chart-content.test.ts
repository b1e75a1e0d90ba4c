import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dailyBars, intradayBars, type Bar, type ChartTime } from './bars.ts';
import { lastAt, linesOf, pricePoints, rebasedPoints, timesOf } from './chart-content.ts';

const day = (fecha: string, ultimo: number) => ({ especie: 'X', fecha, ultimo, volumen: null });
const own = dailyBars([day('2026-11-18', 2), day('2026-11-19', 4), day('2026-11-20', 8)]);
const other = dailyBars([day('2026-11-19', 5), day('2026-11-20', 6)]);

function sourcesOf(names: readonly string[], bars: readonly (readonly Bar[])[]) {
  return names.map((name, at) => ({ name, unit: 'ARS', color: at + 1, bars: bars[at] ?? [] }));
}

function compared(names: readonly string[], bars: readonly (readonly Bar[])[], from: ChartTime) {
  return linesOf(sourcesOf(names, bars), { from, isRebased: true });
}

function alone(bars: readonly (readonly Bar[])[], from: ChartTime) {
  return linesOf(sourcesOf(['X'], bars), { from, isRebased: false });
}

test('an instrument alone has all its closes, so that the user can move back in time', () => {
  const [line] = alone([own], '2026-11-20');
  assert.deepEqual(
    line?.points.map(({ value }) => value),
    [2, 4, 8],
  );
  const minute = { apertura: 1, maximo: 1, minimo: 1, hora: '11:00:00' };
  const intraday = intradayBars([{ ...day('2026-11-20', 1), ...minute }]);
  assert.equal(alone([intraday], 0)[0]?.points.length, 1);
});

test('compared instruments are rebased within the range, and an absent one is empty', () => {
  const lines = compared(['X', 'Y', 'Z'], [own, other], '2026-11-19');
  assert.deepEqual(
    lines.map(({ name, points }) => [name, points.map(({ value }) => value)]),
    [
      ['X', [100, 200]],
      ['Y', [100, 120]],
      ['Z', []],
    ],
  );
  assert.equal(lines[0]?.bars.length, 3);
});

test('the axis of a comparison has the days of all instruments, up to the newest of any', () => {
  const weekend = dailyBars([
    day('2026-11-19', 5),
    day('2026-11-20', 6),
    day('2026-11-21', 7),
    day('2026-11-22', 9),
  ]);
  const lines = compared(['X', 'Y'], [own, weekend], '2026-11-18');
  const times = timesOf(lines);
  assert.deepEqual(times, ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']);
  // On a day without a session of its market, an instrument has its last value.
  const values = lines.map(({ points }) => lastAt(points, times.at(-1))?.value);
  assert.deepEqual(values, [200, 180]);
  assert.equal(lastAt(own, '2026-11-17'), undefined);
  assert.equal(lastAt(own, undefined), undefined);
});

test('the axis of an instrument alone has its own days', () => {
  const lines = alone([own], '2026-11-20');
  assert.deepEqual(timesOf(lines), ['2026-11-18', '2026-11-19', '2026-11-20']);
});

test('pairs are not rebased, and have all their values, their units and their colours', () => {
  const lines = linesOf(
    [
      { name: 'X/Y', unit: '', color: 2, bars: own },
      { name: 'X/Z', unit: '', color: 4, bars: other },
    ],
    { from: '2026-11-20', isRebased: false },
  );
  assert.deepEqual(
    lines.map(({ name, unit, color, points }) => [
      name,
      unit,
      color,
      points.map(({ value }) => value),
    ]),
    [
      ['X/Y', '', 2, [2, 4, 8]],
      ['X/Z', '', 4, [5, 6]],
    ],
  );
});

function series(...rows: readonly (readonly [string, number])[]): readonly Bar[] {
  return dailyBars(rows.map(([fecha, ultimo]) => ({ especie: 'X', fecha, ultimo, volumen: null })));
}

const older = series(['2026-01-01', 50], ['2026-01-02', 200], ['2026-01-05', 100]);
const younger = series(['2026-01-02', 3], ['2026-01-05', 6]);

test('series are compared from the first day on which all have started, where each is 100', () => {
  const [first, second] = rebasedPoints([older, younger], '2026-01-01');
  assert.deepEqual(first, [
    { time: '2026-01-02', value: 100 },
    { time: '2026-01-05', value: 50 },
  ]);
  assert.deepEqual(
    second?.map(({ value }) => value),
    [100, 200],
  );
});

test('a series without a base above zero is empty and does not affect the others', () => {
  const [zero, empty, good] = rebasedPoints([series(['2026-01-01', 0]), [], younger], '2026-01-01');
  assert.deepEqual([zero, empty], [[], []]);
  assert.equal(good?.length, 2);
});

test('prices start on the requested day', () => {
  assert.deepEqual(pricePoints(older, '2026-01-03'), [{ time: '2026-01-05', value: 100 }]);
});
