/** Nodes are HTTP servers of the test. Their ages, and that of the watching node, are set by the test. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { nodeRecord } from '../../../test/support/program/node-record.ts';
import { once, until } from '../../../test/support/wait.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog, type Log } from '../../lib/reports/log.ts';
import type { LiveNode } from '../../store/contract/nodes.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { PeerWatch } from './peer-watch.ts';

/** Time without a read from which on a node asks, in milliseconds. */
const longMs = 10_000;

/** A node that responds with the age that the test sets. */
async function startNode(instance: string) {
  const state = { edadMs: 0, asked: 0 };
  const server = createServer((_, response) => {
    state.asked += 1;
    response.end(JSON.stringify({ estado: 'ok', instancia: instance, edadMs: state.edadMs }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const record = nodeRecord({ instance, advertisedUrl: `http://127.0.0.1:${port}` });
  const live: LiveNode = { ...record, silentMs: 0 };
  return { state, live, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A watch of the node `own`, whose age and database the test sets. */
function startWatch(live: readonly LiveNode[]) {
  const state = { ageMs: 0, isDown: false, reads: 0 };
  const messages: string[] = [];
  const note = (_: object, message: string): void => void messages.push(message);
  const log: Log = { ...silentLog, info: note, error: note };
  const watch = new PeerWatch({
    instance: 'own',
    nodes: {
      live: async () => {
        state.reads += 1;
        if (state.isDown) throw new StoreFault('unavailable', 'down');
        return live;
      },
    },
    ageMs: () => state.ageMs,
    clock: systemClock,
    log,
    pauseMs: 5,
  });
  return { state, messages, watch, [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose]() };
}

test('a node that is cut off is behind while another node reads the database, and no longer once it reads it', async () => {
  await using other = await startNode('other');
  await using own = await startNode('own');
  await using one = startWatch([own.live, other.live]);
  await until('the nodes are known', () => one.state.reads > 0);
  assert.equal(one.watch.isBehind, false);
  assert.equal(other.state.asked, 0, 'a node that reads the database asks nobody');
  one.state.isDown = true;
  one.state.ageMs = longMs;
  await until('behind', () => one.watch.isBehind);
  one.state.ageMs = 0;
  assert.equal(one.watch.isBehind, false, 'at once');
  await until('both changes are logged', () => one.messages.length === 2);
  assert.match(one.messages.join('\n'), /^this node is behind: .*\nthis node is no longer behind/);
  assert.equal(own.state.asked, 0);
});

test('when no other node reads the database, or none responds, a node is not behind', async () => {
  const other = await startNode('other');
  await using one = startWatch([other.live]);
  await until('the nodes are known', () => one.state.reads > 0);
  other.state.edadMs = longMs;
  one.state.ageMs = longMs;
  await until('asked three times', () => other.state.asked > 3);
  assert.equal(one.watch.isBehind, false);
  other.state.edadMs = 0;
  await until('behind', () => one.watch.isBehind);
  await other[Symbol.asyncDispose]();
  await until('the other node is gone', () => !one.watch.isBehind);
});

test('a node that only writes, and the node itself, are not asked', async () => {
  await using writes = await startNode('writes');
  await using same = await startNode('own');
  await using other = await startNode('other');
  // A node that listens on all addresses may be reached at the address of another one.
  const mistaken = { ...same.live, instance: 'elsewhere' };
  await using one = startWatch([{ ...writes.live, role: 'write' }, mistaken, other.live]);
  await until('the nodes are known', () => one.state.reads > 0);
  other.state.edadMs = longMs;
  one.state.ageMs = longMs;
  await until('asked three times', () => other.state.asked > 3);
  assert.equal(writes.state.asked, 0);
  assert.equal(one.watch.isBehind, false, 'its own response says nothing about others');
});
