import assert from 'node:assert/strict';
import { test } from 'node:test';

import { silentLog } from '../../lib/reports/log.ts';
import { AccessLogWriter, RefusalLog } from './access-log.ts';
import { until } from '../../../test/support/wait.ts';

function recording(): {
  readonly lines: Record<string, unknown>[];
  readonly log: typeof silentLog;
} {
  const lines: Record<string, unknown>[] = [];
  const log = {
    ...silentLog,
    info: (details: object, message: string) => void lines.push({ message, ...details }),
  };
  return { lines, log };
}

const line = { remote: '203.0.113.9', keyId: undefined, method: 'GET', path: '/', ms: 1 };

test('of one client and status the first lines are written, and the rest is one line with its number', () => {
  const { lines, log } = recording();
  const refusals = new RefusalLog(log, { linesMax: 3 });
  const written = Array.from({ length: 10 }, () => refusals.admits({ ...line, status: 401 }));
  assert.equal(written.filter(Boolean).length, 3);
  assert.ok(refusals.admits({ ...line, status: 404 }), 'another status has lines of its own');
  assert.ok(refusals.admits({ ...line, keyId: 'k', status: 401 }), 'and so has a key');
  refusals[Symbol.dispose]();
  assert.deepEqual(lines, [
    {
      message: 'further requests refused',
      keyId: undefined,
      remote: line.remote,
      status: 401,
      requests: 7,
    },
  ]);
});

test('clients beyond the limit share their lines, so that memory is bounded', () => {
  const { lines, log } = recording();
  const refusals = new RefusalLog(log, { linesMax: 1, clientsMax: 2 });
  let written = 0;
  for (let host = 0; host < 200; host += 1) {
    if (refusals.admits({ ...line, remote: `203.0.113.${host}`, status: 401 })) written += 1;
  }
  assert.equal(written, 3);
  refusals[Symbol.dispose]();
  assert.deepEqual(lines, [{ message: 'further requests refused', requests: 197 }]);
});

test('each minute has lines of its own', async () => {
  const { lines, log } = recording();
  using refusals = new RefusalLog(log, { linesMax: 1, windowMs: 5 });
  refusals.admits({ ...line, status: 401 });
  refusals.admits({ ...line, status: 401 });
  await until('a line is logged', () => lines.length > 0);
  assert.ok(refusals.admits({ ...line, status: 401 }));
});

test('a method is logged up to 32 characters, because a client may send any', () => {
  const { lines, log } = recording();
  using writer = new AccessLogWriter(log, 'refused');
  writer.write({ ...line, method: 'x'.repeat(300), status: 405 });
  assert.equal(lines[0]?.['method'], 'x'.repeat(32));
});
