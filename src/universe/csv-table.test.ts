import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvTable } from './csv-table.ts';
import type { CsvRow } from './csv-table.ts';

const columns = { required: ['ticker', 'name', 'panels'], optional: [] };

function read(text: string) {
  const rows: CsvRow[] = [];
  const faults = readCsvTable({ file: 'x.csv', text }, columns, (row) => rows.push(row));
  return { rows, faults };
}

test('columns are found by name, in any order and case, and returned in the requested order', () => {
  const { rows, faults } = read('Panels, TICKER ,name\nLID,ALUA, Aluar \n');
  assert.deepEqual(faults, []);
  assert.deepEqual(rows, [{ line: 2, cells: ['ALUA', 'Aluar', 'LID'] }]);
});

test('the delimiter is detected in the header, so quoted lists with semicolons are read correctly', () => {
  const expected = [{ line: 2, cells: ['ALUA', 'Aluar, S.A.', 'LID;GEN'] }];
  assert.deepEqual(read('ticker,name,panels\nALUA,"Aluar, S.A.",LID;GEN\n').rows, expected);
  assert.deepEqual(read('ticker;name;panels\nALUA;Aluar, S.A.;"LID;GEN"\n').rows, expected);
  assert.deepEqual(read('ticker\tname\tpanels\nALUA\tAluar, S.A.\tLID;GEN').rows, expected);
});

test('a row has the number of the line on which it begins, however many lines its cells span', () => {
  const { rows } = read('ticker,name,panels\nA,"two\nlines",\n\n,,\nB,"say ""b""",LID\n');
  assert.deepEqual(rows, [
    { line: 2, cells: ['A', 'two\nlines', ''] },
    { line: 6, cells: ['B', 'say "b"', 'LID'] },
  ]);
});

test('unknown, duplicate and missing columns are all reported at once', () => {
  const { rows, faults } = read('ticker,nome,ticker,panels\nA,b,c,d\n');
  assert.deepEqual(rows, []);
  assert.deepEqual(
    faults.map(({ line, column, value, message }) => [line, column, value, message]),
    [
      [1, 2, 'nome', 'unknown column; the columns are ticker, name, panels'],
      [1, 3, 'ticker', 'duplicate column'],
      [1, 0, '', 'the column name is missing'],
    ],
  );
});

test('a row with more or fewer cells than the header is reported, and the next row is read', () => {
  const { rows, faults } = read('ticker,name,panels\nA,b\nB,b,c,d\nC,c,\n');
  assert.deepEqual(
    faults.map(({ line, value, message }) => [line, value, message.slice(0, 32)]),
    [
      [2, 'A', 'the row has 2 cells and the head'],
      [3, 'B', 'the row has 4 cells and the head'],
    ],
  );
  assert.deepEqual(
    rows.map(({ line }) => line),
    [4],
  );
});

test('a quote that is never closed is reported on the line of its row, and ends the reading', () => {
  const { rows, faults } = read('ticker,name,panels\nA,a,\nB,"b,\nC,c,\n');
  assert.deepEqual(
    rows.map(({ cells }) => cells[0]),
    ['A'],
  );
  assert.equal(faults.length, 1);
  assert.deepEqual([faults[0]?.line, faults[0]?.value], [3, 'B,"b,']);
});

test('an empty file has no header', () => {
  for (const text of ['', '\n\n', ' , \n']) {
    assert.match(read(text).faults[0]?.message ?? '', /no header/);
  }
});

test('a fault of a cell has the column of the cell in the file', () => {
  const faults = readCsvTable(
    { file: 'x.csv', text: 'panels,name,ticker\nLID,b,A\n' },
    columns,
    (_row, report) => report(0, 'A', 'is wrong'),
  );
  assert.deepEqual(faults, [
    { file: 'x.csv', line: 2, column: 3, value: 'A', message: 'ticker: is wrong' },
  ]);
});

function cellsOf(text: string) {
  return readOptional(text).rows.map(({ cells }) => cells);
}

function readOptional(text: string) {
  const rows: CsvRow[] = [];
  const all = { ...columns, optional: ['ratio', 'note'] };
  const faults = readCsvTable({ file: 'x.csv', text }, all, (row, report) => {
    rows.push(row);
    if (row.cells[4] === 'bad') report(4, 'bad', 'is wrong');
  });
  return { rows, faults };
}

test('an optional column may be anywhere or missing; the cells of a missing one are empty', () => {
  assert.deepEqual(cellsOf('ticker,name,panels\nA,b,LID'), [['A', 'b', 'LID', '', '']]);
  assert.deepEqual(cellsOf('note,ticker,name,panels\nx,A,b,LID'), [['A', 'b', 'LID', '', 'x']]);
  assert.deepEqual(cellsOf('ticker,name,panels,ratio,note\nA,b,LID,1,x'), [
    ['A', 'b', 'LID', '1', 'x'],
  ]);
});

test('a fault of an optional cell has its column, and an unknown column names the optional ones', () => {
  const [fault] = readOptional('note,ticker,name,panels\nbad,A,b,LID').faults;
  assert.deepEqual([fault?.column, fault?.message], [1, 'note: is wrong']);
  const [unknown] = readOptional('ticker,name,panels,x\n').faults;
  assert.equal(
    unknown?.message,
    'unknown column; the columns are ticker, name, panels, ratio, note',
  );
  const [missing, ...others] = readOptional('ticker,panels,ratio\n').faults;
  assert.deepEqual([missing?.message, others], ['the column name is missing', []]);
  assert.equal(
    readOptional('').faults[0]?.message,
    'the file has no header; its first line must name ticker, name, panels',
  );
});
