import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentKind } from '../domain/instruments/instrument.ts';
import { CsvRow } from './files/csv-table.ts';
import { readMaturity } from './read-instruments.ts';

function read(maturity: string, kind: InstrumentKind = 'bill') {
  const faults: string[][] = [];
  const row = new CsvRow(1, { maturity }, (...fault) => void faults.push(fault));
  const result = readMaturity(row, kind);
  return { result, faults };
}

test('a bond, a corporate bond and a bill have a maturity where the cell is not empty', () => {
  for (const kind of ['bond', 'corporate-bond', 'bill'] as const) {
    assert.deepEqual(read('2026-11-30', kind), { result: { maturity: '2026-11-30' }, faults: [] });
    assert.deepEqual(read('', kind), { result: {}, faults: [] });
  }
});

test('a maturity is a day that exists, as YYYY-MM-DD', () => {
  for (const text of ['2026-02-30', '30/11/2026', '2026-11', '20261130', '2026-11-30T00:00']) {
    const message = 'not a valid date; use YYYY-MM-DD and a day that exists';
    assert.deepEqual(read(text), { result: {}, faults: [['maturity', text, message]] }, text);
  }
});

test('an instrument of another kind has no maturity', () => {
  const message = 'only a bond, a corporate-bond or a bill matures; leave it empty';
  assert.deepEqual(read('2026-11-30', 'share').faults, [['maturity', '2026-11-30', message]]);
  assert.deepEqual(read('', 'share').faults, []);
});
