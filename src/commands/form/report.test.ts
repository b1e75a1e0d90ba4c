import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable } from './report.ts';

test('columns are as wide as their widest cell, and no line ends in white space', () => {
  assert.equal(
    formatTable(
      ['ID', 'NAME', 'STATE'],
      [
        ['a1', 'a longer name', ''],
        ['b22', 'x', 'active'],
      ],
    ),
    'ID   NAME           STATE\na1   a longer name\nb22  x              active',
  );
});

test('a cell cannot break its line or command the terminal', () => {
  const table = formatTable(['NAME', 'STATE'], [['a\nb\u001b[31m\u202e', 'active']]);
  assert.equal(
    table,
    String.raw`NAME                      STATE` +
      '\n' +
      String.raw`a\u000ab\u001b[31m\u202e  active`,
  );
});
