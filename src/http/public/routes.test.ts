import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contractPaths } from '../../../test/support/http/contract-paths.ts';
import { startTestServer } from '../../../test/support/http/start-test-server.ts';
import type { Fields } from '../handler/response.ts';

test('a server that another one replaces keeps no response', async () => {
  await using server = await startTestServer();
  await using next = await startTestServer();
  const { handler } = server.server;

  /** The fields of the body, one object for as long as the body is cached. */
  const bodyFieldsOf = async (target: string): Promise<Fields | undefined> => {
    const { status, fields } = await handler.respond({
      peer: { address: '192.0.2.1', isEncrypted: false },
      method: 'GET',
      target,
      version: '1.1',
      headers: { authorization: `Bearer ${server.key}`, host: 'x' },
      count: (name) => (name === 'host' ? 1 : 0),
      hasBody: false,
      keepsAlive: true,
      headBytes: undefined,
      body: undefined,
      head: undefined,
    });
    assert.equal(status, 200, target);
    return fields.find(({ list }) => list.includes('etag'));
  };

  const cached = new Map<string, Fields | undefined>();
  for (const { path, target, hasTag } of contractPaths) {
    if (!hasTag) continue;
    await bodyFieldsOf(target);
    const fields = await bodyFieldsOf(target);
    assert.notEqual(fields, undefined, target);
    if (fields === (await bodyFieldsOf(target))) cached.set(path, fields);
  }
  await server.server.handOver(next.server);
  const kept: string[] = [];
  for (const { path, target } of contractPaths) {
    const before = cached.get(path);
    if (before !== undefined && before === (await bodyFieldsOf(target))) kept.push(path);
  }
  assert.deepEqual(kept, []);
  for (const path of ['/ranking', '/dolares', '/indices', '/udf/quotes', '/udf/history'])
    assert.ok(cached.has(path), path);
});
