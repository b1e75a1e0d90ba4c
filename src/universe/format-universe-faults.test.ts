import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUniverseFaults } from './files/universe-fault.ts';

test('faults are formatted one per line, sorted by file and position, with the text at fault', () => {
  const text = formatUniverseFaults([
    { file: 'panels.yaml', line: 2, column: 1, value: 'LIDER', message: 'unknown panel' },
    { file: 'markets.yaml', line: 10, column: 3, value: 'x', message: 'second' },
    { file: 'markets.yaml', line: 2, column: 30, value: '', message: 'first' },
    { file: 'derived.yaml', line: 0, column: 0, value: '', message: 'is missing' },
    { file: 'instruments.csv', line: 7, column: 0, value: 'A', message: 'the row is short' },
  ]);
  assert.deepEqual(text.split('\n'), [
    'derived.yaml: is missing',
    'instruments.csv:7: "A": the row is short',
    'markets.yaml:2:30: first',
    'markets.yaml:10:3: "x": second',
    'panels.yaml:2:1: "LIDER": unknown panel',
  ]);
});

test('a value of the file is truncated, kept on one line and escaped for terminals', () => {
  const value = `a\nb\u001B[31m${'x'.repeat(500)}`;
  const text = formatUniverseFaults([{ file: 'f', line: 1, column: 1, value, message: 'm' }]);
  assert.equal(text.split('\n').length, 1);
  assert.ok(!text.includes('\u001B'));
  assert.ok(text.length < 100);
});

const shown = (length: number) =>
  formatUniverseFaults([
    { file: 'f', line: 1, column: 1, value: 'x'.repeat(length), message: 'm' },
  ]);

test('of a value of more than 60 characters, the first 60 are shown', () => {
  assert.equal(shown(60), `f:1:1: "${'x'.repeat(60)}": m`);
  assert.equal(shown(61), `f:1:1: "${'x'.repeat(60)}…": m`);
});
