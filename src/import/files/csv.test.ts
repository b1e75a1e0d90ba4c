import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { csvRowCharsMax, csvRows } from './open-table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

async function rowsOf(text: string, chunkChars = text.length): Promise<(readonly string[])[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += chunkChars) yield text.slice(at, at + chunkChars);
  }
  const rows: (readonly string[])[] = [];
  for await (const batch of csvRows(chunks())) rows.push(...batch);
  return rows;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

test('rows are the same however the text is split, with or without a final newline', async () => {
  const rows = [
    ['fecha', 'cierre'],
    ['2024-01-02', '1,5'],
    ['a "b"\nc', ''],
  ];
  const text = 'fecha,cierre\n2024-01-02,"1,5"\n"a ""b""\nc",';
  for (const chunkChars of [1, 2, 7, 13, 100]) {
    assert.deepEqual(await rowsOf(text, chunkChars), rows);
    assert.deepEqual((await rowsOf(`${text}\n`, chunkChars)).slice(0, 3), rows);
  }
});

test('a row of another length keeps its cells and does not shift the next row', async () => {
  assert.deepEqual(await rowsOf('a,b,c\n1,2\n3,4,5,6\n7,8,9'), [
    ['a', 'b', 'c'],
    ['1', '2'],
    ['3', '4', '5', '6'],
    ['7', '8', '9'],
  ]);
});

test('semicolons and tabs are detected as delimiters, with and without decimal commas', async () => {
  const expected = [
    ['fecha', 'cierre', 'volumen'],
    ['02/01/2024', '1,5', '10'],
    ['03/01/2024', '1,75', '20'],
  ];
  for (const delimiter of [';', '\t', '|']) {
    const text = expected.map((row) => row.join(delimiter)).join('\n');
    for (const chunkChars of [1, 8, text.length]) {
      assert.deepEqual(await rowsOf(text, chunkChars), expected);
    }
  }
});

test('a quote that is never closed is refused at the maximum row length, and no more text is read', async () => {
  const chunk = 'x,1\n'.repeat(25_000);
  let read = 0;
  function* endless() {
    yield 'a,b\n"';
    for (;;) {
      read += chunk.length;
      yield chunk;
    }
  }
  await assert.rejects(async () => {
    for await (const batch of csvRows(endless() as never)) assert.ok(batch.length <= 1);
  }, ImportRefusal);
  assert.ok(read > csvRowCharsMax && read <= csvRowCharsMax + chunk.length, `${read} characters`);
});

test('a row of the maximum length is read, and a longer one is refused', async () => {
  const row = 'x'.repeat(csvRowCharsMax);
  assert.deepEqual(await rowsOf(`a\n${row}`), [['a'], [row]]);
  await assert.rejects(rowsOf(`a\n${row}x`), {
    code: 'not-prices',
    message:
      'a row is longer than 1048576 characters: a quote is not closed, or the file is not CSV',
  });
});

test('a piece of text that ends at a line end within quotes does not count for the delimiter', async () => {
  const rows = [
    ['aaaa', ';a"aa\na;', '"'],
    ['a"a\n', '', ''],
  ];
  const text = ['x,y,z', 'x,y,z', ...rows.map((row) => row.map(quote).join(','))].join('\n');
  const piece = text.indexOf('"a""a\n') + 6;
  assert.deepEqual((await rowsOf(text, piece)).slice(2), rows);
});

test('any table of cells reads back', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', ' ', ';') });
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 3 });
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (rows, chunkChars) => {
      // A header without quotes, so that the delimiter is unambiguous.
      const lines = ['x,y,z', 'x,y,z', ...rows.map((row) => row.map(quote).join(','))];
      const read = await rowsOf(lines.join('\n'), Math.max(chunkChars, 12));
      assert.deepEqual(read.slice(2), rows);
    }),
  );
});

test('a text without any line end is refused at the maximum row length', async () => {
  const chunk = 'x'.repeat(100_000);
  await assert.rejects(rowsOf(chunk.repeat(30), chunk.length), ImportRefusal);
});

test('neither a title, nor a line that names the delimiter, nor a row of another kind decides the delimiter', async () => {
  const table = ['fecha;cierre;volumen', '30/01/2024;1500,5;1000', '31/01/2024;1510,5;2000'];
  const [header, ...rows] = table.map((line) => line.split(';'));
  for (const [title, first] of [
    ['Cotizaciones', ['Cotizaciones']],
    ['Cotizaciones, de GGAL, en BYMA', ['Cotizaciones, de GGAL, en BYMA']],
    ['sep=;', ['']],
  ] as const) {
    const text = [title, ...table].join('\n');
    for (const chunkChars of [1, 9, text.length]) {
      assert.deepEqual(await rowsOf(text, chunkChars), [first, header, ...rows], title);
    }
  }
  assert.deepEqual(await rowsOf('sep=^\na^b\n1,5^2'), [[''], ['a', 'b'], ['1,5', '2']]);
  const tabs =
    'Date\tClose\tVolume\nMar 15, 2024\t1\t12,000\nMar 14, 2024\t0.4 Dividend\nMar 13, 2024\t2\t11,000';
  assert.deepEqual((await rowsOf(tabs))[2], ['Mar 14, 2024', '0.4 Dividend']);
});
