import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../../test/support/http/start-test-server.ts';

const field = async (server: TestServer, headers: Readonly<Record<string, string>>) =>
  (await server.get('/healthz', { headers })).header('pizarra-origins');
const asks = { 'pizarra-follower': 'a' };

test('contract 1.4: /healthz names the followed services to a follower, and to nobody else', async () => {
  await using server = await startTestServer({ origins: () => ['a', 'b'] });
  assert.equal(await field(server, asks), 'a b');
  assert.equal(await field(server, {}), undefined);
});

test('a service that follows none tells a follower so, and a long chain is cut', async () => {
  await using none = await startTestServer();
  assert.equal(await field(none, asks), '');
  await using long = await startTestServer({
    origins: () => Array.from({ length: 100 }, (_, index) => `${index}`),
  });
  assert.equal((await field(long, asks))?.split(' ').length, 64);
});
