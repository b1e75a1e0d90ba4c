import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from './universe-fault.ts';
import type { UniverseFault } from './universe-fault.ts';

function decode(bytes: Uint8Array) {
  const faults: UniverseFault[] = [];
  return { text: decodeText('x.csv', bytes, faults), faults };
}

test('a byte order mark and carriage returns are removed', () => {
  const decoded = decode(Buffer.from('\uFEFFuno\r\ndos\rtres\n'));
  assert.deepEqual(decoded, { text: 'uno\ndos\ntres\n', faults: [] });
});

test('bytes that are not UTF-8 are a fault with the number of their line', () => {
  const latin1 = Buffer.from('ticker\r\nALUA\r\nDía\r\n', 'latin1');
  const { text, faults } = decode(latin1);
  const places = faults.map(({ file, line, column, value }) => [file, line, column, value]);
  assert.deepEqual([text, places], [undefined, [['x.csv', 3, 0, '']]]);
  assert.match(faults[0]?.message ?? '', /not UTF-8.*CSV UTF-8/);
});

test('UTF-16 is refused on its first line', () => {
  const { text, faults } = decode(Buffer.from('\uFEFFticker', 'utf16le'));
  assert.deepEqual([text, faults.map(({ line }) => line)], [undefined, [1]]);
});
