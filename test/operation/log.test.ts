import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { once, until } from '../support/wait.ts';
import { storeAt } from '../support/program/test-store.ts';

/** Number of requests whose log lines, 3 MB, exceed a pipe and the queue of the program. */
const requestsMany = 250;

interface Unread extends AsyncDisposable {
  readonly service: RunningService;
  readonly data: string;
}

/** Starts a service whose log nobody reads, with more lines than the queue takes. */
async function startUnread(): Promise<Unread> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: data } = cleanUp.use(await temporaryDirectory());
  const flags = ['--store', data, '--behind-proxy', '127.0.0.1'];
  const service = cleanUp.use(await startPizarra(flags));
  service.child.stderr.pause();
  using connection = await RawConnection.open(Number(new URL(service.url).port));
  for (let asked = 0; asked < requestsMany; asked += 1) {
    // For one client only the first refusals are logged, so each request has another client.
    const lines = [`X-Forwarded-For: 203.0.113.${asked}`, 'X-Forwarded-Proto: https'];
    const head = [`GET /${'x'.repeat(12_000)} HTTP/1.1`, 'Host: x', ...lines, '', ''];
    const { status } = await connection.ask(head.join('\r\n'));
    assert.equal(status, 401);
  }
  const running = cleanUp.move();
  return { service, data, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('a service whose log nobody reads continues to serve, and logs how many lines it dropped', async () => {
  await using unread = await startUnread();
  const { service, data } = unread;
  const { key } = await createKey(storeAt(data), { name: 'x', scope: 'metrics' });
  const ask = (): Promise<Response> =>
    fetch(`${service.privateUrl}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  // A running service follows new keys within 100 ms.
  const answer = await until('the key is accepted', async () => {
    const response = await ask();
    return response.status !== 401 && response;
  });
  const dropped = /^pizarra_log_lines_dropped_total (\d+)$/m.exec(await answer.text())?.[1];
  assert.ok(Number(dropped) > 0);
  service.child.stderr.resume();
  const found = (): string | undefined =>
    service
      .stderr()
      .split('\n')
      .find((line) => line.includes('log lines dropped') && line.endsWith('}'));
  const line = JSON.parse(await until('the drops are logged', found)) as Record<string, unknown>;
  assert.ok(Number(line['lines']) >= Number(dropped));
  assert.equal(line['level'], 'warn');
  assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('a service whose log nobody reads stops on SIGTERM', async () => {
  await using unread = await startUnread();
  const { child } = unread.service;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  child.stderr.resume();
});
