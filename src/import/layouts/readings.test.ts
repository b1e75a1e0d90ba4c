import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead } from '../../../test/support/import/table-head.ts';
import { headerless, lean } from './headerless.ts';
import { sources } from './sources.ts';
import { generic } from './generic.ts';
import type { TableHead } from './layout.ts';
import { wide } from './wide.ts';

const tables = [
  'ticker,date,close,open,high,low,volume\nGGAL,2026-11-16,12,11,14,10,7',
  'especie,fecha,apertura,maximo,minimo,cierre,volumen\nGGAL,2026-11-16,1,3,1,2,7',
  'Date,Open,High,Low,Close,Adj Close,Volume\n2026-11-16,1,3,1,2,2,7',
  'SIMBOLO,FECHA,VENCIMIENTO,CIERRE,VOLUMEN NOMINAL\nBMA,2024-02-19,48 hs.,1,2',
  'Date,Close,Volume,Open,High,Low\n03/01/2024,$2,7,$1,$3,$1',
];

test("a table without one of a source's columns does not match the source's layout", () => {
  for (const text of tables) {
    const head = csvHead('x.csv', text);
    assert.ok(sources.recognise(head) !== undefined, text);
    for (const missing of head.rows[0]?.keys() ?? []) {
      const rows = head.rows.map((row) => row.map((cell, at) => (at === missing ? 'x' : cell)));
      assert.equal(sources.recognise({ ...head, rows }), undefined, `${text}: ${missing}`);
    }
  }
});

test('no layout matches an empty table', () => {
  for (const layout of [sources, lean, wide, generic, headerless]) {
    for (const rows of [[], [['']], [[], []]]) {
      const head = { path: 'x.csv', type: 'csv', rows } as const;
      assert.equal(layout.recognise(head), undefined);
    }
  }
});

/** A table without a header: a number of rows consistent with the reading, and another row. */
function bearing(count: number, other: string): TableHead {
  const rows = Array.from({ length: count }, () => '2016-07-13,2,4,1,3,7');
  return csvHead('x.csv', [...rows, other].join('\n'));
}

test('Lean and rows without a header: all rows, or nine of ten, must be consistent with the reading', () => {
  const good = '19980102 00:00,1,2,1,2,3';
  for (const bad of ['1998-01-02,1,2,1,2,3', '19980102 00:00,1.5,2,1,2,3', `${good},4`]) {
    assert.equal(lean.recognise(csvHead('x.csv', `${good}\n${bad}`)), undefined, bad);
  }
  assert.ok(lean.recognise(csvHead('x.csv', `${good}\n${good}\n`)));
  for (const wrong of [
    '2016-07-13,2,1,1,3,7',
    '2016-07-13,2,4,3,3,7',
    'x,2,4,1,3,7',
    '2016-07-13,1',
  ]) {
    assert.ok(headerless.recognise(bearing(9, wrong)), wrong);
    assert.equal(headerless.recognise(bearing(8, wrong)), undefined, wrong);
  }
  assert.ok(headerless.recognise(csvHead('x.csv', '2016-07-13,2,2,2,2,7')), 'a day of one price');
  assert.ok(headerless.recognise(csvHead('x.csv', '2016-07-13,2,4,1,3,7,3')), 'seven cells');
  assert.equal(headerless.recognise(csvHead('x.csv', '2016-07-13,2,4,1,3,7,3,1')), undefined);
});

test('an export has its own columns and no others', () => {
  for (const header of [
    'ticker,date,close,open,high,low',
    'ticker,date,close,open,high,low,volume,source,note',
    'ticker,date,close,open,high,low,volume,note',
  ]) {
    assert.equal(sources.recognise(csvHead('x.csv', header)), undefined, header);
  }
});
