import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpConnection, requestText } from '../../bench/support/http-connection.ts';
import { processorTime } from '../../bench/support/process-tree.ts';
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
    const before = processorTime([process.pid]);
    const { user, system } = process.cpuUsage();
    while (process.cpuUsage().user + process.cpuUsage().system < user + system + 100_000);
    const after = processorTime([process.pid]);
    const took = after.user + after.kernel - before.user - before.kernel;
    assert.ok(took >= 0.08, `only ${took} s`);
  },
);
