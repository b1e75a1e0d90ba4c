import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendRows } from './edit-files.ts';

type Column = 'a' | 'b' | 'c' | 'd';
const optional: ReadonlySet<Column> = new Set(['c', 'd']);

test('rows are appended in the order of the header, and end before empty optional columns', () => {
  assert.equal(
    appendRows<Column>(
      'b,a,c\n2,1\n',
      [
        { a: 'x', b: 'y', c: 'z' },
        { a: 'p', b: 'q' },
      ],
      optional,
    ),
    'b,a,c\n2,1\ny,x,z\nq,p\n',
  );
  assert.equal(appendRows<Column>('a,c,b\n', [{ a: 'x' }], optional), 'a,c,b\nx,,\n');
});

test('without rows, nothing changes', () => {
  assert.equal(appendRows<Column>('a,b\n1,2', [], optional), 'a,b\n1,2');
});

test('a cell with the delimiter, a quote or a line end is quoted', () => {
  const row = { a: 'x, y', b: '"z"', c: 'p;q', d: 'r\ns' };
  assert.equal(
    appendRows<Column>('a,b,c,d\n', [row], optional),
    'a,b,c,d\n"x, y","""z""",p;q,"r\ns"\n',
  );
  assert.equal(
    appendRows<Column>('a;b;c\n', [{ a: 'x, y', c: 'p;q' }], optional),
    'a;b;c\nx, y;;"p;q"\n',
  );
  assert.equal(appendRows<Column>('a\tb\n', [{ a: 'x', b: 'y' }], optional), 'a\tb\nx\ty\n');
});

test('the byte order mark, the line ends and a missing last line end of the file are respected', () => {
  assert.equal(
    appendRows<Column>('\uFEFF a , B \r\n1,2', [{ a: 'x', b: 'y' }], optional),
    '\uFEFF a , B \r\n1,2\r\nx,y\r\n',
  );
  assert.equal(appendRows<Column>('\n\na,b\n', [{ a: 'x', b: 'y' }], optional), '\n\na,b\nx,y\n');
});

test('a column is added to the header only if a row needs it, and then no other line changes', () => {
  assert.equal(
    appendRows<Column>(
      'a,b\r\n1,2\r\n',
      [
        { a: 'x', b: 'y', d: 'z' },
        { a: 'p', b: 'q' },
      ],
      optional,
    ),
    'a,b,d\r\n1,2\r\nx,y,z\r\np,q\r\n',
  );
});
