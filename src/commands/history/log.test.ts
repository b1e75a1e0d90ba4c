import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { changeRows } from './log.ts';
import { revertedText } from './revert.ts';

const date = '2026-05-04';
const day = toEpochDay(date as PlainDate);
const by = { at: Date.UTC(2026, 4, 5, 15), origin: 'fetch' } as const;

test('a change shows its instant in UTC, exact numbers, and a dash for what is absent', () => {
  const change = { by, day, field: 'open', before: null, after: 1e-7, source: undefined } as const;
  const instant = '2026-05-05T15:00:00.000Z';
  const renamed = { ...change, before: 'a', after: 'b', source: 'b' };
  const { text, objects } = changeRows([change, renamed]);
  assert.deepEqual(
    text.split('\n').map((line) => line.split(/ +/)),
    [
      ['INSTANT', 'DATE', 'FIELD', 'BEFORE', 'AFTER', 'SOURCE', 'ORIGIN'],
      [instant, date, 'open', '-', '0.0000001', '-', 'fetch'],
      [instant, date, 'open', 'a', 'b', 'b', 'fetch'],
    ],
  );
  assert.deepEqual(objects[0], {
    instant,
    date,
    field: 'open',
    before: null,
    after: 1e-7,
    source: null,
    origin: 'fetch',
  });
});

test('what was put back is a sentence that names the value which it replaces', () => {
  const close = (value: number) => ({ day, close: value, volume: null });
  const reverted = { kind: 'close', subject: 'GGAL', before: close(2), after: close(1) } as const;
  assert.equal(
    revertedText(reverted, date),
    'Put back the close 1 of GGAL of 2026-05-04, which replaces 2.',
  );
  const value = { index: 'CER', day, value: 7, source: 'x' } as const;
  assert.equal(
    revertedText(
      { kind: 'index', subject: 'CER', before: { ...value, value: 8 }, after: value },
      date,
    ),
    'Put back the value 7 of CER of 2026-05-04, which replaces 8.',
  );
  const split: CorporateAction = {
    ticker: 'GGAL' as Ticker,
    exDay: day,
    type: 'split',
    factor: 10,
    source: 'x',
  };
  const removed = { kind: 'action', subject: 'GGAL', before: undefined, after: split } as const;
  assert.equal(
    revertedText(removed, date),
    'Put back the action split 10 new for 1 old units of GGAL of 2026-05-04, which had been removed.',
  );
});
