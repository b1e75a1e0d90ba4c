import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { mapBar } from './origin-rows.ts';

const row = {
  especie: 'AAPL_US',
  fecha: '2026-11-20',
  hora: '11:31:00',
  apertura: 210,
  maximo: 212.5,
  minimo: 209,
  ultimo: 211,
  volumen: 1_200,
  instante: '2026-11-20T09:31:00-05:00',
};

test('a row of /intradiarios becomes a bar of its minute and session', () => {
  assert.deepEqual(mapBar(row), {
    ticker: 'AAPL_US',
    bar: {
      day: toEpochDay('2026-11-20' as PlainDate),
      minute: Date.parse('2026-11-20T14:31:00Z') / 60_000,
      open: 210,
      high: 212.5,
      low: 209,
      last: 211,
      volume: 1_200,
    },
  });
  const spread = { ...row, apertura: -1, maximo: 0, minimo: -2, ultimo: -1, volumen: null };
  const mapped = mapBar(spread);
  assert.ok('bar' in mapped);
  assert.deepEqual([mapped.bar.open, mapped.bar.high, mapped.bar.volume], [-1, 0, null]);
});

test('what is no bar is rejected', () => {
  const reasonsOf = [
    [undefined, 'unintelligible'],
    [{ ...row, especie: 7 }, 'unintelligible'],
    [{ ...row, fecha: '20/11' }, 'bad-instant'],
    [{ ...row, instante: undefined }, 'bad-instant'],
    [{ ...row, maximo: '212' }, 'unintelligible'],
    [{ ...row, volumen: -1 }, 'unintelligible'],
    [{ ...row, volumen: 'x' }, 'unintelligible'],
  ] as const;
  for (const [value, reason] of reasonsOf) assert.equal(Object(mapBar(value)).reason, reason);
});
