import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberColumn, textColumn } from '../texts/csv-text.ts';
import { Table } from './table.ts';

interface Row {
  readonly name: string;
  readonly amount: number | null | undefined;
  readonly days: readonly string[];
}

const table = new Table<Row>({
  nombre: { column: textColumn, value: ({ name }) => name },
  importe: { column: numberColumn, value: ({ amount }) => amount },
  dias: {
    column: textColumn,
    value: ({ days }) => days.map((dia) => ({ dia })),
    cell: ({ days }) => days.join(' '),
  },
});

const rows: readonly Row[] = [
  { name: 'a "b", c', amount: 0.000_000_5, days: ['1', '2'] },
  { name: '', amount: null, days: [] },
  { name: 'x', amount: undefined, days: ['3'] },
  { name: '', amount: 0, days: [] },
];

test('JSON has the fields in order; null is shown and an undefined field is absent', () => {
  assert.equal(
    table.render(rows, 'json'),
    '[{"nombre":"a \\"b\\", c","importe":0.0000005,"dias":[{"dia":"1"},{"dia":"2"}]},' +
      '{"nombre":"","importe":null,"dias":[]},' +
      '{"nombre":"x","dias":[{"dia":"3"}]},' +
      '{"nombre":"","importe":0,"dias":[]}]',
  );
  assert.equal(table.render([], 'json'), '[]');
});

test('CSV has the same digits, the texts of lists, and empty cells for null and absent fields', () => {
  assert.equal(
    table.render(rows, 'csv'),
    'nombre,importe,dias\r\n"a ""b"", c",0.0000005,1 2\r\n,,\r\nx,,3\r\n,0,\r\n',
  );
  assert.equal(
    table.render(rows, 'csv-comma'),
    'nombre;importe;dias\r\n"a ""b"", c";0,0000005;1 2\r\n;;\r\nx;;3\r\n;0;\r\n',
  );
  assert.equal(table.render([], 'csv'), 'nombre,importe,dias\r\n');
});

test('a value that is no JSON number is refused', () => {
  const row = { name: 'x', amount: Number.NaN, days: [] };
  for (const format of ['json', 'csv'] as const) {
    assert.throws(() => table.render([row], format), RangeError);
  }
});
