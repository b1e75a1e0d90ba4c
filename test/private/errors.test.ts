import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startPrivateServer } from '../support/http/start-private-server.ts';

test('private listener: an unknown path gets 404, and another method on a known path gets 405 with Allow', async () => {
  await using server = await startPrivateServer();
  const answerOf = async (path: string, method: string) => {
    const headers = { authorization: `Bearer ${server.keys.metrics}` };
    const response = await fetch(server.url + path, { method, headers });
    const { error } = (await response.json()) as { readonly error: string };
    return [response.status, response.headers.get('allow'), error];
  };
  const unknown = await answerOf('/nada', 'GET');
  assert.deepEqual(unknown.slice(0, 2), [404, null]);
  const wrong = await answerOf('/metrics?x=1', 'DELETE');
  assert.deepEqual(wrong.slice(0, 2), [405, 'GET, HEAD']);
  const get = await answerOf('/updates', 'GET');
  assert.deepEqual(get.slice(0, 2), [405, 'POST']);
  for (const [, , error] of [unknown, wrong]) assert.match(String(error), /\w+ \w+/);
  assert.notEqual(unknown[2], wrong[2]);
});
