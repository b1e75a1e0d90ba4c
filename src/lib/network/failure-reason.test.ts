import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureReason } from './failure-reason.ts';

test('the reason of a failed request is the first error with a code, and else the last cause', () => {
  const socket = Object.assign(new Error('connect 127.0.0.1'), { code: 'ECONNREFUSED' });
  const sent = new TypeError('fetch failed', { cause: socket });
  const late = new DOMException('too late', 'TimeoutError');
  const silent = Object.assign(new AggregateError([socket]), { code: 'ECONNREFUSED' });
  for (const [error, code, text] of [
    [socket, 'ECONNREFUSED', 'ECONNREFUSED connect 127.0.0.1'],
    [sent, 'ECONNREFUSED', 'ECONNREFUSED connect 127.0.0.1'],
    [new Error('outer', { cause: sent }), 'ECONNREFUSED', 'ECONNREFUSED connect 127.0.0.1'],
    [silent, 'ECONNREFUSED', 'ECONNREFUSED'],
    [new Error('outer', { cause: new Error('too long') }), undefined, 'too long'],
    [new Error('outer', { cause: 'a text' }), undefined, 'outer'],
    [late, undefined, 'too late'],
  ] as const) {
    assert.deepEqual(failureReason(error), { code, text }, error.message);
  }
});
