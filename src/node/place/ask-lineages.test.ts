/** Nodes are HTTP servers of the test. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';

import { nodeRecord } from '../../../test/support/program/node-record.ts';
import { once } from '../../../test/support/wait.ts';
import type { NodeRecord } from '../../store/contract/nodes.ts';
import { askLineages } from './open-place.ts';

/** The address of a listener. Without a lineage it responds as one over a data directory. */
async function listener(t: TestContext, body: object, lineage?: string): Promise<string> {
  const server = createServer((request, response) => {
    assert.equal(request.url, '/healthz');
    if (lineage !== undefined) response.setHeader('pizarra-line', lineage);
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server[Symbol.asyncDispose]());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a listener that accepts connections and never responds. */
async function deaf(t: TestContext): Promise<string> {
  const server = createServer(() => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    return server[Symbol.asyncDispose]();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function node(advertisedUrl: string, advertisedPrivateUrl: string): NodeRecord {
  return nodeRecord({ advertisedUrl, advertisedPrivateUrl });
}

test('a node is asked at both addresses, and the one that responds counts', async (t) => {
  const open = await listener(t, { instancia: 'a' }, '1/2');
  const inner = await listener(t, { instance: 'b' }, '1/3, 2/1');
  const silent = await deaf(t);
  const answers = await askLineages(
    [
      node(open, silent),
      node('', inner),
      node(silent, inner),
      node(silent, silent),
      node(await listener(t, { instancia: 'c' }), ''),
      node('http://127.0.0.1:1', ''),
    ],
    1_000,
  );
  assert.deepEqual(answers, [
    { instance: 'a', lineage: '1/2' },
    { instance: 'b', lineage: '1/3, 2/1' },
    { instance: 'b', lineage: '1/3, 2/1' },
  ]);
});
