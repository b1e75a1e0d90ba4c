import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Rejected } from '../../feeds/contract/feed.ts';
import { silentLog } from '../../lib/reports/log.ts';
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

test('updates that the engine refuses are logged by reason with their values, except those of tickers that are not served', () => {
  const { lines, rejections } = studio();
  const ticker = 'GGAL' as Ticker;
  rejections.addRefused(
    [
      { ticker, at: Date.parse('2026-11-20T15:00:00Z'), last: 741_000 },
      { ticker, at: Date.parse('2026-11-20T15:00:00Z'), last: 7_410 },
      { ticker, at: -8.64e20, last: 1 },
      { ticker: 'NOBODY' as Ticker, at: 0, last: 1 },
    ],
    [
      { refused: 'implausible' },
      'accepted',
      { refused: 'before-1990' },
      { refused: 'unknown-ticker' },
    ],
  );
  assert.deepEqual(lines, [
    {
      feed: 'source',
      reason: 'implausible',
      count: 1,
      samples: ['GGAL: {"at":"2026-11-20T15:00:00.000Z","last":741000}'],
    },
    {
      feed: 'source',
      reason: 'before-1990',
      count: 1,
      samples: ['GGAL: {"at":"-864000000000000000000","last":1}'],
    },
  ]);
});

test('a key in a sample is not logged', () => {
  const { lines, rejections } = studio();
  rejections.add([{ reason: 'unintelligible', symbol: 'sk-123', sample: 'bad key sk-123' }]);
  assert.doesNotMatch(JSON.stringify(lines), /sk-123/);
  assert.match(JSON.stringify(lines), /bad key \[secret\]/);
});

test('the earliest and the latest instant of a date are logged as dates, and those beyond them as numbers', () => {
  const { lines, rejections } = studio();
  const latest = 8.64e15;
  const instants = [latest, -latest, latest + 1];
  rejections.addRefused(
    instants.map((at) => ({ ticker: 'GGAL' as Ticker, at, last: 1 })),
    instants.map(() => ({ refused: 'in-future' })),
  );
  const [line] = lines as { samples: string[] }[];
  assert.deepEqual(
    line?.samples.map((sample) => /"at":"([^"]+)"/.exec(sample)?.[1]),
    ['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '8640000000000001'],
  );
});

test('what is no mistake of the source is not logged, whatever its reason', () => {
  const { lines, rejections } = studio();
  for (const reason of ['no-instrument', 'not-traded', 'unknown-ticker', 'derived'] as const) {
    rejections.add([{ reason, sample: '{}' }]);
  }
  assert.deepEqual(lines, []);
});

test('what was held back is logged with the next batch after the pause, once, and a sample has its symbol if there is one', () => {
  const { lines, rejections, pass } = studio();
  rejections.add([crossed('A')]);
  rejections.add([crossed('B')]);
  pass(5 * minuteMs);
  rejections.add([]);
  pass(10 * minuteMs);
  rejections.add([{ reason: 'no-price', sample: 'null' }]);
  assert.deepEqual(
    lines.map((line) => Object.values(line).slice(1)),
    [
      ['crossed', 1, ['A: compra 2, venta 1']],
      ['crossed', 1, ['B: compra 2, venta 1']],
      ['no-price', 1, ['null']],
    ],
  );
});

test('a book that the engine refuses is logged with its reason, though its update was accepted', () => {
  const { lines, rejections } = studio();
  const update = { ticker: 'GGAL' as Ticker, at: 0, last: 5, bid: -1 };
  rejections.addRefused([update], [{ refused: 'not-positive', part: 'book' }]);
  const [line] = lines as readonly { reason: string; samples: readonly string[] }[];
  assert.equal(line?.reason, 'not-positive');
  assert.match(line?.samples[0] ?? '', /^GGAL: .*"bid":-1/);
});
