import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startTestServer } from '../../support/http/start-test-server.ts';

test('contract 1.2: every public path starts with the base path, and nothing is served without it', async () => {
  await using server = await startTestServer({ basePath: '/v5' });
  const history = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  for (const path of [
    '/cotizaciones?panel=LID',
    history,
    '/especies.txt',
    '/openapi.json',
    '/healthz',
  ]) {
    assert.equal((await server.get(`/v5${path}`)).status, 200, path);
    assert.equal((await server.get(path)).status, 404, path);
  }
  assert.equal((await server.get('/v5/cotizaciones', { method: 'POST' })).status, 405);
});
