import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejected } from '../feeds/feed.ts';
import { silentLog } from '../lib/log.ts';
import { RejectionLog } from './log-rejections.ts';

const minuteMs = 60_000;

function studio(): {
  readonly lines: object[];
  readonly rejections: RejectionLog;
  readonly pass: (ms: number) => void;
} {
  let now = 1_000;
  const lines: object[] = [];
  const rejections = new RejectionLog({
    feed: 'source',
    clock: { now: () => 0, monotonic: () => now },
    log: { ...silentLog, warn: (details) => void lines.push(details) },
    redact: (text) => text.replaceAll('sk-123', '[secret]'),
  });
  return { lines, rejections, pass: (ms) => void (now += ms) };
}

function crossed(symbol: string): Rejected {
  return { reason: 'crossed', symbol, sample: 'compra 2, venta 1' };
}

test('a source that is wrong in every row writes one line in five minutes, with a few samples', () => {
  const { lines, rejections, pass } = studio();
  for (let poll = 0; poll < 20; poll += 1) {
    rejections.add(Array.from({ length: 1_000 }, (_, row) => crossed(`S${row}`)));
    pass(30_000);
  }
  const samples = ['S0', 'S1', 'S2'].map((symbol) => `${symbol}: compra 2, venta 1`);
  const line = { feed: 'source', reason: 'crossed', samples };
  assert.deepEqual(lines, [
    { ...line, count: 1_000 },
    { ...line, count: 10_000 },
  ]);
});

test('each reason has lines of its own', () => {
  const { lines, rejections } = studio();
  rejections.add([crossed('A'), { reason: 'no-price', sample: 'null' }]);
  assert.deepEqual(
    lines.map((line) => (line as { reason: string }).reason),
    ['crossed', 'no-price'],
  );
});

test('symbols that are not served here are no mistake, and are not logged', () => {
  const { lines, rejections } = studio();
  rejections.add([{ reason: 'no-instrument', symbol: 'XYZ', sample: '{}' }]);
  assert.deepEqual(lines, []);
});

test('a key in a sample is not logged', () => {
  const { lines, rejections } = studio();
  rejections.add([{ reason: 'unintelligible', symbol: 'sk-123', sample: 'bad key sk-123' }]);
  assert.doesNotMatch(JSON.stringify(lines), /sk-123/);
  assert.match(JSON.stringify(lines), /bad key \[secret\]/);
});

test('what was held back is logged with the next batch after the pause', () => {
  const { lines, rejections, pass } = studio();
  rejections.add([crossed('A')]);
  rejections.add([crossed('B')]);
  pass(5 * minuteMs);
  rejections.add([]);
  assert.equal(lines.length, 2);
  assert.match(JSON.stringify(lines[1]), /B: compra/);
});
