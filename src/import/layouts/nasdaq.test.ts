import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import { nasdaq } from './nasdaq.ts';

const rows = 'Date,Close,Volume,Open,High,Low\n03/01/2024,$17.44,37504,$16.93,$17.58,$16.28';

test('prices with a dollar sign are of the US share, with the month first in dates', () => {
  const reading = readingOf(nasdaq, csvHead('EDN.csv', rows));
  assert.equal(reading.naming, 'us');
  assert.equal(reading.usualDate, 'MM/DD/YYYY');
  assert.deepEqual(reading.series, [
    { ticker: { type: 'file' }, close: 1, open: 3, high: 4, low: 5, volume: 2 },
  ]);
});

test('the heading Close/Last of newer files is recognised', () => {
  assert.equal(readingOf(nasdaq, csvHead('x.csv', rows.replace('Close', 'Close/Last'))).date, 0);
});

test('the same columns without a dollar sign do not match', () => {
  assert.equal(nasdaq.recognise(csvHead('EDN.csv', rows.replaceAll('$', ''))), undefined);
});
