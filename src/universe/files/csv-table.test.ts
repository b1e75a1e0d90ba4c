import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvTable, type CsvRow } from './csv-table.ts';

const columns = ['ticker', 'name', 'panels'] as const;
const table = { columns, optional: new Set<never>() };

function read(text: string) {
  const rows: CsvRow<(typeof columns)[number]>[] = [];
  const faults = readCsvTable({ file: 'x.csv', text }, table, (row) => void rows.push(row));
  return { rows: rows.map(({ line, cells }) => ({ line, cells })), faults };
}

test('columns are found by name, in any order and case, and returned in the requested order', () => {
  const { rows, faults } = read('Panels, TICKER ,name\nLID,ALUA, Aluar \n');
  assert.deepEqual(faults, []);
  assert.deepEqual(rows, [{ line: 2, cells: { ticker: 'ALUA', name: 'Aluar', panels: 'LID' } }]);
});

test('the delimiter is detected in the header, so quoted lists with semicolons are read correctly', () => {
  const expected = [{ line: 2, cells: { ticker: 'ALUA', name: 'Aluar, S.A.', panels: 'LID;GEN' } }];
  assert.deepEqual(read('ticker,name,panels\nALUA,"Aluar, S.A.",LID;GEN\n').rows, expected);
  assert.deepEqual(read('ticker;name;panels\nALUA;Aluar, S.A.;"LID;GEN"\n').rows, expected);
  assert.deepEqual(read('ticker\tname\tpanels\nALUA\tAluar, S.A.\tLID;GEN').rows, expected);
});

test('a row has the number of the line on which it begins, however many lines its cells span', () => {
  const { rows } = read('ticker,name,panels\nA,"two\nlines",\n\n,,\nB,"say ""b""",LID\n');
  assert.deepEqual(rows, [
    { line: 2, cells: { ticker: 'A', name: 'two\nlines', panels: '' } },
    { line: 6, cells: { ticker: 'B', name: 'say "b"', panels: 'LID' } },
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
    rows.map(({ cells }) => cells.ticker),
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
    table,
    (row) => row.wrong('ticker', 'is wrong'),
  );
  assert.deepEqual(faults, [
    { file: 'x.csv', line: 2, column: 3, value: 'A', message: 'ticker: is wrong' },
  ]);
});

test('a quote within a cell that is not doubled ends the reading, so that no row after it is misread', () => {
  const { rows, faults } = read('ticker,name,panels\nA,a,\nB,"b"b,\nC,c,\n');
  assert.deepEqual(
    rows.map(({ cells }) => cells.ticker),
    ['A'],
  );
  assert.deepEqual(
    faults.map(({ line, column, value }) => [line, column, value]),
    [[3, 0, 'B,"b"b,']],
  );
});

test('a header with a fault ends the reading with the faults of the header', () => {
  const { rows, faults } = read('ticker,name\nA,a\nB,b,c\n');
  assert.deepEqual(rows, []);
  assert.deepEqual(
    faults.map(({ line, column, message }) => [line, column, message]),
    [[1, 0, 'the column panels is missing']],
  );
});

test('a file without a header has one fault, of its first line, that names the columns', () => {
  assert.deepEqual(read('').faults, [
    {
      file: 'x.csv',
      line: 1,
      column: 0,
      value: '',
      message: 'the file has no header; its first line must name ticker, name, panels',
    },
  ]);
});

test('lines are counted from the first one, blank lines before the header and within cells included', () => {
  const { rows } = read('\n\nticker,name,panels\nA,"two\n\n\nlines",\nB,b,\n');
  assert.deepEqual(
    rows.map(({ line }) => line),
    [4, 8],
  );
});

test('after a quote that is not doubled nothing is read, also when a later quote closes', () => {
  const { rows, faults } = read('ticker,name,panels\nA,a,\nB,"b"b,"c"\nC,c,\n');
  assert.deepEqual(
    rows.map(({ cells }) => cells.ticker),
    ['A'],
  );
  assert.equal(faults.length, 1);
});

const all = [...columns, 'ratio', 'note'] as const;

function readOptional(text: string) {
  const rows: CsvRow<(typeof all)[number]>[] = [];
  const optional = new Set(['ratio', 'note'] as const);
  const faults = readCsvTable({ file: 'x.csv', text }, { columns: all, optional }, (row) => {
    rows.push(row);
    if (row.cells.note === 'bad') row.wrong('note', 'is wrong');
  });
  return { cells: rows.map(({ cells }) => all.map((name) => cells[name])), faults };
}

test('an optional column may be anywhere or missing; the cells of a missing one are empty', () => {
  assert.deepEqual(readOptional('ticker,name,panels\nA,b,LID').cells, [['A', 'b', 'LID', '', '']]);
  const moved = readOptional('note,ticker,name,panels\nx,A,b,LID');
  assert.deepEqual(moved.cells, [['A', 'b', 'LID', '', 'x']]);
  const whole = readOptional('ticker,name,panels,ratio,note\nA,b,LID,1,x');
  assert.deepEqual(whole.cells, [['A', 'b', 'LID', '1', 'x']]);
});

test('a row may end before the optional columns at the end of the header, and not before another', () => {
  const header = 'ticker,name,panels,ratio,note';
  const { cells, faults } = readOptional(`${header}\nA,b,LID\nB,b,LID,1\n`);
  assert.deepEqual(cells, [
    ['A', 'b', 'LID', '', ''],
    ['B', 'b', 'LID', '1', ''],
  ]);
  assert.deepEqual(faults, []);
  const counted = (text: string) => readOptional(text).faults.map(({ message }) => message);
  for (const [row, cellCount] of [
    ['A,b', 2],
    ['A,b,LID,1,x,y', 6],
  ] as const) {
    assert.match(
      counted(`${header}\n${row}`)[0] ?? '',
      new RegExp(`has ${cellCount} cells and the header has 5`),
    );
  }
  assert.match(counted('ticker,ratio,name,panels\nA,1,b')[0] ?? '', /has 3 cells/);
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

test('a file that is cut within its last row is refused, wherever the cut is', () => {
  const text = 'ticker,name,panels,ratio,note\nA,b,LID\nB,b,LID,1,x\n';
  const last = text.lastIndexOf('B');
  for (let end = last + 1; end < text.lastIndexOf(','); end += 1) {
    const { cells, faults } = readOptional(text.slice(0, end));
    assert.deepEqual(
      [cells.length, faults.map(({ line }) => line)],
      [1, [3]],
      text.slice(last, end),
    );
  }
  assert.deepEqual(readOptional(text.slice(0, -1)).faults, [], 'only the line break is missing');
});
