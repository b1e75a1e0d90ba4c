import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readTrace } from './trace.ts';

/** Text as strace prints it with `-xx`. */
function escaped(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

test('a call that another thread interrupts is read whole, with its place in the file', () => {
  const file = `7<${escaped('/data/a.db')}>`;
  const text = [
    `12 pwrite64(${file}, "${escaped('abc')}", 3, 4096 <unfinished ...>`,
    `13 fdatasync(${file}) = 0`,
    '12 <... pwrite64 resumed>)            = 3',
    `12 ftruncate(${file}, 512 <unfinished ...>`,
    '12 <... ftruncate resumed>)           = 0',
  ].join('\n');
  assert.deepEqual(readTrace(text, '/data'), [
    { type: 'sync', path: '/data/a.db' },
    { type: 'write', path: '/data/a.db', at: 4096, bytes: Buffer.from('abc') },
    { type: 'truncate', path: '/data/a.db', size: 512 },
  ]);
});
