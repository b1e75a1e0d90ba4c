import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { insertEntries, yamlText, type NewEntry } from './edit-files.ts';

const entry: NewEntry = { key: 'new one', value: { a: 'one' } };
const insert = (text: string, name = 'markets') => insertEntries(text, name, [entry]);

test('entries follow the last one of a block, with its indentation and before the comments after it', () => {
  assert.equal(
    insert('# head\nmarkets: # of ours\n    X:\n        a: 0 # last\n# tail\nother:\n  y: 1\n'),
    '# head\nmarkets: # of ours\n    X:\n        a: 0 # last\n    new one:\n      a: one\n# tail\nother:\n  y: 1\n',
  );
  assert.equal(
    insert('markets:\n  X:\n    hours:\n      - { open: 1 }\n\n# end\n'),
    'markets:\n  X:\n    hours:\n      - { open: 1 }\n  new one:\n    a: one\n\n# end\n',
  );
  assert.equal(
    insert('markets:\n  X: { a: 0,\n    b: 1 }\nother: 2\n'),
    'markets:\n  X: { a: 0,\n    b: 1 }\n  new one:\n    a: one\nother: 2\n',
  );
});

test('a file without a last line end gets one, and keeps its kind of line ends', () => {
  assert.equal(insert('markets:\r\n  X: 1'), 'markets:\r\n  X: 1\r\n  new one:\r\n    a: one\r\n');
});

test('a map that is missing, empty or in braces gets the entries too', () => {
  assert.equal(insert('other: 1\n'), 'other: 1\nmarkets:\n  new one:\n    a: one\n');
  assert.equal(insert('markets:\nother: 1\n'), 'markets:\n  new one:\n    a: one\nother: 1\n');
  for (const text of [
    'markets: {}\n',
    'markets: { X: { a: "0" } } # mine\nother: 1\n',
    '{ other: 1 }\n',
    '{ markets: { X: 1, }, other: 1 }\n',
  ]) {
    const before = parse(text) as Readonly<Record<string, object>>;
    const after = parse(insert(text)) as unknown;
    assert.deepEqual(after, {
      ...before,
      markets: { ...before['markets'], 'new one': { a: 'one' } },
    });
  }
});

test('without entries, nothing changes; a file whose root is no map is refused', () => {
  assert.equal(insertEntries('markets: [', 'markets', []), 'markets: [');
  assert.throws(() => insert('- 1\n'), /no map/);
});

test('a text is quoted where it would mean something else, and stays on one line', () => {
  assert.deepEqual(
    ['Año Nuevo', 'Puente: 2/4', '- x', 'null', '2026', 'a\nb', `${'x '.repeat(60)}x`].map(
      yamlText,
    ),
    ['Año Nuevo', '"Puente: 2/4"', '"- x"', '"null"', '"2026"', '"a\\nb"', `${'x '.repeat(60)}x`],
  );
});
