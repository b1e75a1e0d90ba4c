import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import * as fc from 'fast-check';

import { parameterNames, pathsExcept } from '../../support/http/contract-paths.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const path = fc.constantFrom(
  ...pathsExcept({
    '/cotizaciones/stream': 'its response does not end',
    '/healthz': 'it does not read its query',
    '/openapi.json': 'it does not read its query',
  }).map((one) => one.path),
);
const name = fc.oneof(
  fc.constantFrom(...parameterNames, 'formato', 'decimal'),
  fc.constantFrom('ESPECIE', '', '__proto__', 'constructor', 'toString[a]', 'x'),
);
const value = fc.oneof(
  fc.constantFrom(
    'GGAL',
    'al30',
    'DOLAR+MEP',
    'LID',
    'lid',
    'total',
    'minimo,apertura',
    'precioPor',
    'larga',
    'ancha',
    'BON',
    '2024-02-29',
    '2024-02-30',
    '',
  ),
  fc.constantFrom('%', '%zz', '%00', '%C3%28', ',,', '%2C', '+', '=', '%F0%9F%92%B8', '..%2F'),
  fc.constantFrom('%C0%80', '%FF', '%ED%A0%80', '%F5%80%80%80', '__proto__', 'hasOwnProperty'),
  fc.constantFrom('csv', 'json', 'coma', 'CSV'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent),
);
const parameter = fc
  .tuple(name, fc.array(value, { maxLength: 3 }))
  .map(([sentName, values]) => `${sentName}=${values.join('')}`);
const target = fc
  .tuple(path, fc.array(parameter, { maxLength: 5 }))
  .map(([sentPath, parameters]) => `${sentPath}?${parameters.join('&')}`);

test('contract 4.1, 4.2: every query gets 200 or 400, and the response is as the contract describes', async () => {
  await fc.assert(
    fc.asyncProperty(target, async (sent) => {
      const { status } = await server.get(sent);
      assert.ok(status === 200 || status === 400, `${status} for ${sent}`);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 250) },
  );
});
