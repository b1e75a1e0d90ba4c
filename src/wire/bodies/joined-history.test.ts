import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import { joinedTable } from './joined-history.ts';

/** Tickers that a program could take for numbers, for a formula, or for the end of a cell. */
const { instruments } = makeUniverse(['B', '700', '3M', 'A&B'].map((ticker) => ({ ticker })));

function closes(...rows: readonly (readonly [day: number, close: number])[]): CloseSeries {
  return {
    days: Int32Array.from(rows, ([day]) => day),
    closes: Float64Array.from(rows, ([, close]) => close),
    volumes: new Float64Array(rows.length).fill(Number.NaN),
  };
}

const wide = { form: 'wide', fields: [], cell: 'closes' } as const;
const long = { form: 'long', fields: [], cell: 'closes' } as const;

function filled(
  query: Parameters<typeof joinedTable>[0],
  format: 'json' | 'csv' | 'csv-comma',
): { readonly size: number; readonly body: string } {
  const table = joinedTable(query, { format, instruments });
  for (const [at, instrument] of instruments.entries()) {
    table.add(instrument, closes([at, at + 1.5], [9, 7]));
  }
  return { size: table.size, body: [...table.parts()].join('') };
}

test('contract 4.2.12: the columns have the order of the request, also those of tickers that look like numbers', () => {
  assert.equal(
    filled(wide, 'csv-comma').body.split('\r\n').slice(0, 2).join('|'),
    'fecha;B;700;3M;A&B|1970-01-01;1,5;;;',
  );
  assert.match(
    filled(wide, 'json').body,
    /^\[\{"fecha":"1970-01-01","B":1\.5,"700":null,"3M":null,/,
  );
});

test('contract 4.2.14: the size of a long table is its rows, that of a wide one its dates multiplied by its instruments', () => {
  assert.equal(filled(long, 'json').size, 8);
  // Five dates of four instruments.
  assert.equal(filled(wide, 'json').size, 20);
});

test('a large table comes in parts of some thousand cells, which make one body', () => {
  const table = joinedTable(wide, { format: 'json', instruments });
  const series = closes(...Array.from({ length: 3_000 }, (_, day) => [day, day + 0.5] as const));
  for (const instrument of instruments) table.add(instrument, series);
  const parts = [...table.parts()];
  assert.equal(parts.length, 2 + 3);
  const rows = JSON.parse(parts.join('')) as readonly { readonly B: number }[];
  assert.deepEqual(
    rows.map((row) => row.B),
    [...series.closes],
  );
});
