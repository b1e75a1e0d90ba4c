import assert from 'node:assert/strict';
import { test } from 'node:test';

import { digits, Table, text } from './table.ts';
import type { CsvStyle } from './table-format.ts';

type Cells = readonly (string | null | undefined)[];

const rows = new Table<Cells>({
  nombre: text((cells) => cells[0], {}),
  importe: digits((cells) => cells[1], {}),
  nota: text((cells) => cells[2], {}),
});

const table = {
  header: (style: CsvStyle) => rows.render([], style),
  line: (cells: Cells, style: CsvStyle) =>
    rows.render([cells], style).slice(rows.render([], style).length),
};

test('the header has the names of the fields, in order', () => {
  assert.equal(table.header('csv'), 'nombre,importe,nota\r\n');
  assert.equal(table.header('csv-comma'), 'nombre;importe;nota\r\n');
});

test('RFC 4180 2: a cell with the separator of its style, a quote or a line break is quoted', () => {
  assert.equal(table.line(['a,b', '1', 'c;d'], 'csv'), '"a,b",1,c;d\r\n');
  assert.equal(table.line(['a,b', '1', 'c;d'], 'csv-comma'), 'a,b;1;"c;d"\r\n');
  for (const [style, separator] of [
    ['csv', ','],
    ['csv-comma', ';'],
  ] as const) {
    const line = table.line(['say "hi"', '1', 'a\r\nb'], style);
    assert.equal(line, `"say ""hi"""${separator}1${separator}"a\r\nb"\r\n`);
    assert.equal(table.line(['a\nb', '1', 'c\rd'], style).split('"').length, 5);
  }
});

test('contract 4.5.7: a decimal comma replaces the point of a number, and not that of a text', () => {
  assert.equal(table.line(['S.A.', '-0.5', '1.5'], 'csv-comma'), 'S.A.;-0,5;1.5\r\n');
  assert.equal(table.line(['S.A.', '1234567', ''], 'csv-comma'), 'S.A.;1234567;\r\n');
  assert.equal(table.line(['S.A.', '-0.5', '1.5'], 'csv'), 'S.A.,-0.5,1.5\r\n');
});

test('contract 4.5.3: absent values and null are empty cells', () => {
  assert.equal(table.line([undefined, null, null], 'csv'), ',,\r\n');
  assert.equal(table.line([null, undefined, undefined], 'csv-comma'), ';;\r\n');
});

test('contract 4.5.8: a text that a spreadsheet would run as a formula has an apostrophe, and a number has none', () => {
  assert.equal(table.line(['=1+1', '-1', '@x'], 'csv'), "'=1+1,-1,'@x\r\n");
  assert.equal(table.line(['=A1,"b"', '-1', ''], 'csv'), '"\'=A1,""b""",-1,\r\n');
  assert.equal(table.line(['-', '', 'a=b'], 'csv-comma'), "'-;;a=b\r\n");
});
