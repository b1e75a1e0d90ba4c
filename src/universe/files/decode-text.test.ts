import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from './decode-text.ts';

test('a byte order mark and carriage returns are removed', () => {
  const decoded = decodeText('x', Buffer.from('\uFEFFuno\r\ndos\rtres\n'));
  assert.deepEqual(decoded, { ok: true, text: 'uno\ndos\ntres\n' });
});

test('bytes that are not UTF-8 are a fault with the number of their line', () => {
  const latin1 = Buffer.from('ticker\r\nALUA\r\nDía\r\n', 'latin1');
  const decoded = decodeText('x.csv', latin1);
  assert.ok(!decoded.ok);
  const { file, line, column, value } = decoded.fault;
  assert.deepEqual([file, line, column, value], ['x.csv', 3, 0, '']);
  assert.match(decoded.fault.message, /not UTF-8.*CSV UTF-8/);
});

test('UTF-16 is refused on its first line', () => {
  const decoded = decodeText('x.csv', Buffer.from('\uFEFFticker', 'utf16le'));
  assert.ok(!decoded.ok);
  assert.equal(decoded.fault.line, 1);
});
