import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../../../test/support/wait.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { OutageLog } from './outage-log.ts';

test('an outage is one line when it begins and one when it ends, without stacks, whoever notices it', async () => {
  const lines: { readonly level: string; readonly message: string; readonly details: object }[] =
    [];
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, message, details });
  const state = { isDown: true };
  const down = new StoreFault('unavailable', 'cannot use PostgreSQL at db: no route to host');
  await using outages = new OutageLog({
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    place: {
      name: 'PostgreSQL at db',
      holder: async () => (state.isDown ? Promise.reject(down) : undefined),
    },
    clock: { monotonic: () => 0 },
    pauseMs: 1,
  });
  const { log } = outages;
  for (let times = 0; times < 50; times += 1) {
    log.error({ err: down }, 'could not read newer quotes, retrying');
    log.warn({ err: down }, 'could not count the nodes');
  }
  assert.deepEqual(lines, [
    {
      level: 'error',
      message: 'the store cannot be used, retrying until it can',
      details: {
        store: 'PostgreSQL at db',
        reason: 'cannot use PostgreSQL at db: no route to host',
        first: 'could not read newer quotes, retrying',
      },
    },
  ]);
  state.isDown = false;
  await until('the end is logged', () => lines.length === 2);
  assert.equal(lines[1]?.message, 'the store can be used again');
  log.error({ err: down }, 'again');
  assert.equal(lines.length, 3, 'the next outage');
  log.error({ err: new StoreFault('corrupt', 'damaged') }, 'store damaged');
  const cause = Object.assign(new Error('cannot execute INSERT'), { code: '25006' });
  log.warn({ err: new StoreFault('unavailable', 'read-only', { cause }) }, 'not registered');
  log.warn({}, 'feed stale');
  assert.deepEqual(
    lines.flatMap(({ message }) => (message.startsWith('the store') ? [] : [message])),
    ['store damaged', 'not registered', 'feed stale'],
    'other faults are logged as they are',
  );
});
