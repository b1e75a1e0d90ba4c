import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { HttpObserver } from '../../src/http/handler/request-handler.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

type Observed = Omit<Parameters<HttpObserver['answered']>[0], 'seconds'>;

test('public listener: a request is observed under its route, an unknown path as unknown', async () => {
  const answers: Observed[] = [];
  const refusals: string[] = [];
  await using server = await startTestServer({
    observer: {
      answered: ({ seconds, ...answer }) => {
        assert.ok(seconds >= 0 && seconds < 60);
        answers.push(answer);
      },
      keyRefused: (reason) => refusals.push(reason),
    },
  });
  await server.get('/cotizaciones?especie=GGAL');
  await server.get('/cotizaciones?especie=GGAL', { headers: { 'x-slow-path': '1', range: 'x' } });
  await server.get('/especies.txt');
  await server.get('/nada');
  await server.get('/cotizaciones/nada?x=1');
  await server.get('/cotizaciones', { method: 'DELETE' });
  await server.get('/nada', { method: 'PUT' });
  await server.get('/cotizaciones', { authorization: null });
  await server.get('/nada', { authorization: 'Bearer wrong' });
  assert.deepEqual(
    answers.map(({ route, method, status }) => `${method} ${route} ${status}`),
    [
      'GET /cotizaciones 200',
      'GET /cotizaciones 200',
      'GET /especies.txt 200',
      'GET unknown 404',
      'GET unknown 404',
      'DELETE unknown 405',
      'PUT unknown 404',
      'GET /cotizaciones 401',
      'GET unknown 401',
    ],
  );
  assert.deepEqual(refusals, ['missing', 'malformed']);
});
