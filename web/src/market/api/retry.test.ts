import assert from 'node:assert/strict';
import { test } from 'node:test';

import { retried } from './retry.ts';
import type { Failure, Outcome } from './service.ts';

const refused = (status: number): Failure => ({ kind: 'refused', status, message: '' });

test('a request is sent again while its failure may pass, and not after another refusal', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const failures: Failure[] = [{ kind: 'unreachable' }, refused(429), refused(503), refused(400)];
  const left = [...failures];
  const seen: Failure[] = [];
  const request = async (): Promise<Outcome<string>> => {
    const failure = left.shift();
    return failure === undefined ? { ok: true, value: 'x' } : { ok: false, failure };
  };
  const outcome = retried(request, new AbortController().signal, (failure) => {
    seen.push(failure);
    setImmediate(() => t.mock.timers.tick(3_000));
  });
  assert.deepEqual(await outcome, { ok: false, failure: refused(400) });
  assert.deepEqual(seen, failures.slice(0, 3));
});

test('an abort ends the wait before the next attempt', async () => {
  const stop = new AbortController();
  const failure = { kind: 'unreachable' } as const;
  let requests = 0;
  const request = async (): Promise<Outcome<string>> => {
    requests += 1;
    return { ok: false, failure };
  };
  const outcome = retried(request, stop.signal, () => setImmediate(() => stop.abort()));
  assert.deepEqual(await outcome, { ok: false, failure });
  assert.equal(requests, 1);
});
