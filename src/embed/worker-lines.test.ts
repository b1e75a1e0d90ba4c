import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerLines } from './worker-lines.ts';

test('lines of a worker keep level, details and message, and what is no JSON is an error', () => {
  const heard: unknown[][] = [];
  const at = (level: string) => (details: object, message: string) =>
    void heard.push([level, details, message]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const pass = workerLines(log);
  pass('{"level":"warn","time":"2026-11-20T12:00:00.000Z","worker":7,"msg":"slow"}');
  pass('{"level":"fatal","msg":"gone"}');
  pass('{"level":"trace","msg":"detail"}');
  pass('FATAL ERROR: out of memory');
  pass('null');
  assert.deepEqual(heard, [
    ['warn', { worker: 7 }, 'slow'],
    ['error', {}, 'gone'],
    ['debug', {}, 'detail'],
    ['error', {}, 'FATAL ERROR: out of memory'],
    ['error', {}, 'null'],
  ]);
});
