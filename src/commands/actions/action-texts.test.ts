import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { actionObject, actionValue, doubtText, unitsText } from './action-texts.ts';

const exDay = toEpochDay('2026-08-24' as PlainDate);
const base = { ticker: 'YPFD' as Ticker, exDay, source: 'CNV' };

test('a factor is shown as whole new and old units where they are few', () => {
  for (const [factor, text] of [
    [10, '10 new for 1 old units'],
    [0.1, '1 new for 10 old units'],
    [1.5, '3 new for 2 old units'],
    [1.09, '109 new for 100 old units'],
    [1.025, '1025 new for 1000 old units'],
    [1 / 3, '1 new for 3 old units'],
    [Math.PI, 'the factor 3.14159'],
  ] as const) {
    assert.equal(unitsText(factor), text);
  }
});

test('an action is shown in a table with its value, and as JSON with the names of the columns', () => {
  assert.equal(actionValue({ ...base, type: 'split', factor: 10 }), '10 new for 1 old units');
  const paid = { ...base, type: 'cash-dividend', amount: 12.5, currency: 'ARS' } as const;
  assert.equal(actionValue(paid), '12.5 ARS');
  const renamed = { ...base, type: 'ticker-change', newTicker: 'YPF2' as Ticker } as const;
  assert.equal(actionValue(renamed), 'to YPF2');
  assert.deepEqual(actionObject(paid), {
    ticker: 'YPFD',
    date: '2026-08-24',
    type: 'cash-dividend',
    source: 'CNV',
    amount: 12.5,
    currency: 'ARS',
  });
});

test('a doubt names both closes, their days and the units', () => {
  const doubt = {
    ticker: 'YPFD' as Ticker,
    type: 'unrecorded',
    day: exDay,
    close: 4_512,
    previousDay: toEpochDay('2026-08-21' as PlainDate),
    previousClose: 45_120,
    factor: 10,
  } as const;
  assert.equal(
    doubtText(doubt),
    'YPFD 2026-08-24: 4512 after 45120 on 2026-08-21 looks like 10 new for 1 old units, and no action is recorded.',
  );
  assert.equal(
    doubtText({ ...doubt, type: 'contradicted' }),
    'YPFD 2026-08-24: 4512 after 45120 on 2026-08-21 contradicts the recorded action, 10 new for 1 old units.',
  );
});
