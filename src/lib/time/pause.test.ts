import assert from 'node:assert/strict';
import { test } from 'node:test';

import { within } from '../../../test/support/wait.ts';
import { pauseInRealTime } from './pause.ts';

test('a pause takes its time', async () => {
  const startedAt = performance.now();
  await pauseInRealTime(30, new AbortController().signal);
  // Timers may fire a little early.
  assert.ok(performance.now() - startedAt >= 25);
});

test('an aborted signal ends a pause at once', async () => {
  const stopping = new AbortController();
  const pause = pauseInRealTime(3_600_000, stopping.signal);
  stopping.abort();
  await assert.rejects(within('the pause has ended', pause), { name: 'AbortError' });
});
