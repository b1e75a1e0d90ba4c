import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpConnection, requestText } from '../../bench/support/http-connection.ts';
import { readFlags } from '../../bench/support/flags.ts';
import { preciseTime, processorTime } from '../../bench/support/process-tree.ts';
import { once } from '../support/wait.ts';

test('a response with any framing is reported once, when it is complete', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    switch (request.url) {
      case '/chunks':
        response.write('one');
        setImmediate(() => response.end('two'));
        break;
      case '/none':
        response.writeHead(304).end();
        break;
      case undefined:
      default:
        response.writeHead(200, { 'content-length': 300_000 }).end('x'.repeat(300_000));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  using connection = await HttpConnection.open(port);
  const statuses: number[] = [];
  for (const path of ['/long', '/chunks', '/none', '/long']) {
    const url = new URL(`http://127.0.0.1:${port}${path}`);
    const text = requestText('GET', url, { accept: '*/*' });
    statuses.push(await new Promise<number>((answered) => connection.exchange(text, answered)));
    assert.equal(connection.isBusy, false);
  }
  assert.deepEqual(statuses, [200, 200, 304, 200]);
  assert.deepEqual(asked, ['GET /long', 'GET /chunks', 'GET /none', 'GET /long']);
  connection[Symbol.dispose]();
  server.close();
});

test(
  'the processor time of a process increases while it works',
  { skip: process.platform === 'linux' ? false : 'needs Linux' },
  () => {
    const before = processorTime(process.pid);
    const { user, system } = process.cpuUsage();
    while (process.cpuUsage().user + process.cpuUsage().system < user + system + 100_000);
    const after = processorTime(process.pid);
    const took = after - before;
    assert.ok(took >= 0.08, `only ${took} s`);
  },
);

test(
  'the times of the threads of a process add up to the time of the process',
  { skip: process.platform === 'linux' ? false : 'needs Linux' },
  () => {
    const before = preciseTime(process.pid);
    const { user, system } = process.cpuUsage();
    while (process.cpuUsage().user + process.cpuUsage().system < user + system + 100_000);
    const took = preciseTime(process.pid) - before;
    assert.ok(took >= 0.08, `only ${took} s`);
  },
);

test('a flag of a bench replaces the default of its name, and anything else is refused', () => {
  assert.deepEqual(read(), { rounds: 5, perSecond: 2 });
  assert.deepEqual(read('--per-second', '0.5'), { rounds: 5, perSecond: 0.5 });
  assert.throws(() => read('--per-second', 'many'), /--per-second must be a number, not many/);
  assert.throws(() => read('--rounds', '-1'), /rounds/);
  assert.throws(() => read('--other', '1'), /--other/);
});

function read(...args: readonly string[]): Readonly<Record<'rounds' | 'perSecond', number>> {
  return readFlags('a program', { rounds: 5, perSecond: 2 }, args);
}
