import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedFault, type FeedFaultCode } from '../feeds/contract/feed.ts';
import { retryPauseMs } from './retry-pause.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const most = (): number => 0.999_999;

test('a source that refuses access is not asked every minute for ever', () => {
  for (const code of ['refused', 'invalid-request'] as const) {
    let ms = 0;
    let attempts = 0;
    for (; ms < 24 * hourMs; attempts += 1) {
      ms += retryPauseMs(new FeedFault(code, code), attempts + 1, () => 0);
    }
    assert.ok(attempts <= 14, `${attempts} attempts in a day`);
  }
});

test('a source that is unavailable is asked within seconds, and at least every minute', () => {
  const fault = new FeedFault('unavailable', '');
  const pauses = [1, 3, 1_000].map((failures) => retryPauseMs(fault, failures, most));
  assert.deepEqual(pauses, [1_000, 4_000, minuteMs]);
});

test('every code has pauses that grow up to a limit', () => {
  const codes: readonly (FeedFaultCode | undefined)[] = [
    'unavailable',
    'unintelligible',
    'limited',
    'refused',
    'invalid-request',
    'untrusted',
    undefined,
  ];
  for (const code of codes) {
    const fault = code === undefined ? undefined : new FeedFault(code, code);
    const pauses = [1, 2, 3, 10, 1_000].map((failures) => retryPauseMs(fault, failures, most));
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
    assert.ok((pauses[0] ?? 0) < (pauses[4] ?? 0) && (pauses[4] ?? 0) <= 6 * hourMs, String(code));
  }
});

test('the wait that a source asks for is never shortened, whatever the fault', () => {
  for (const code of ['limited', 'unavailable'] as const) {
    for (const random of [() => 0, most]) {
      const ms = retryPauseMs(new FeedFault(code, '', { retryAfterMs: hourMs }), 1, random);
      assert.ok(ms >= hourMs && ms <= 1.1 * hourMs, `${ms}`);
    }
  }
  const short = new FeedFault('limited', '', { retryAfterMs: 1_000 });
  assert.ok(retryPauseMs(short, 4, () => 0) > 60_000, 'nor is the own pause');
});
