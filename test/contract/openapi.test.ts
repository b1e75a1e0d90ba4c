import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { Validator } from '@seriousme/openapi-schema-validator';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { panelCodes } from '../../src/domain/instruments/panel.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { assertContract, openapi, openapiWithCsv } from '../support/http/contract.ts';
import { pathsExcept } from '../support/http/contract-paths.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: { readonly Panel: { readonly enum: unknown } } };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: Readonly<
    Record<string, { readonly example?: unknown; readonly examples?: Record<string, unknown> }>
  >;
}

test('the document is valid OpenAPI 3.1', async () => {
  const file = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url));
  assert.deepEqual(await new Validator().validate(file), { valid: true });
});

test('contract 1.4: the description is version 5.0.0 and uses OpenAPI 3.1.0', async () => {
  await using server = await startTestServer();
  const document = (await server.get('/openapi.json')).json() as Document;
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '5.0.0');
});

test('contract 2.4: the document has exactly the eleven panels, in order', () => {
  const { components } = openapi as unknown as Document;
  assert.deepEqual(components.schemas.Panel.enum, panelCodes);
});

/** Limits that differ from the defaults, with the text of each in the document. */
const otherFigures = {
  tickersPerRequestMax: '7',
  historyRowsMax: '1234',
  requestLineBytesMax: '9001 bytes',
  requestHeadBytesMax: '12345 bytes',
  headersTimeoutMs: '1,25 s',
  requestTimeoutMs: '77 s',
  streamsPerKeyMax: '3',
  streamHeartbeatMs: '21 s',
  streamStallMs: '43 s',
  intradaySessions: '4',
  defaultPlan: '30 pedidos por hora, y hasta 6 seguidos',
  failuresPerAddress: '9 pedidos por segundo, y hasta 11 seguidos',
  corsOrigins:
    'Solo los scripts de los orígenes que configuró el operador pueden leer las respuestas (CORS).',
  urlKeys:
    'Para las herramientas que solo admiten una URL, el operador entrega claves de consulta (`pzc_…`), que se escriben en la ruta: `/clave/CLAVE/cotizaciones?panel=LID`. Abren con GET y HEAD las tablas, salvo `/cambios`, y `/especies.txt`, nada más, y siempre vencen. Toda respuesta bajo `/clave/` lleva `Cache-Control: private, no-store`. Quien ve la URL puede usar la clave.',
};

test('the served document states the configured limits and no others', async () => {
  const free = { requests: 30, seconds: 3_600, burst: 6 };
  const plans = new RatePlans({ plans: new Map([['free', free]]), defaultPlan: 'free' });
  const failures = { requests: 9, seconds: 1, burst: 11 };
  await using server = await startTestServer({
    rateLimits: new RateLimits({ plans, failures }),
    corsOrigins: ['https://desk.example'],
    urlKeys: true,
    intradaySessions: 4,
    limits: {
      tickersMax: 7,
      historyRowsMax: 1_234,
      requestLineBytesMax: 9_001,
      requestHeadBytesMax: 12_345,
      headersTimeoutMs: 1_250,
      requestTimeoutMs: 77_000,
    },
    streamLimits: { perKeyMax: 3, heartbeatMs: 21_000, stallMs: 43_000 },
  });
  const { servers: _, ...served } = (await server.get('/openapi.json')).json() as Document;
  const { servers: __, ...written } = openapi;
  let expected = JSON.stringify(written);
  for (const [name, text] of Object.entries(otherFigures)) {
    assert.ok(expected.includes(`{${name}}`), `the document does not state ${name}`);
    expected = expected.replaceAll(`{${name}}`, text);
  }
  assert.deepEqual(served, JSON.parse(expected));
  const stated = JSON.stringify(served);
  assert.doesNotMatch(stated, /\{[a-z]+[A-Z]\w*\}/);
  assert.doesNotMatch(stated, /desk\.example/);
  assert.doesNotMatch(
    stated,
    /máximo 500 |máximo 100000 |KiB|16384|32768| en 5 s y| cada 15 s|durante 30 s|100 transm/,
  );
});

test('the served document is contract/openapi.json with the base path as its server', async () => {
  for (const basePath of ['', '/v5']) {
    await using server = await startTestServer({ basePath });
    const { servers, ...served } = (
      await server.get(`${basePath}/openapi.json`)
    ).json() as Document;
    assert.deepEqual(
      Object.keys(served),
      Object.keys(openapi).filter((name) => name !== 'servers'),
    );
    assert.match(JSON.stringify(served), /Se admiten como máximo 500 especies/);
    assert.deepEqual(servers, [{ url: basePath === '' ? '/' : basePath }]);
  }
});

/** The headers of a response of a media type. An example only has the body. */
function headersOf(type: string, { headers = {} }: Response): ReadonlyMap<string, string> {
  const parameters = type === 'text/csv' ? 'charset=utf-8; header=present' : 'charset=utf-8';
  const all = new Map([['content-type', `${type}; ${parameters}`]]);
  if ('ETag' in headers) all.set('etag', '"m8v3yq0Zk1Jx5c2LwT9dAg"');
  if ('Vary' in headers) all.set('vary', 'Accept, Accept-Encoding');
  if ('Retry-After' in headers) all.set('retry-after', '1');
  return all;
}

test('the 200 of every path has one media type, so that generated clients know its type', () => {
  const { paths } = openapi as unknown as Document;
  for (const [path, { get }] of Object.entries(paths)) {
    const ok = get.responses['200'];
    assert.ok(ok !== undefined && 'content' in ok);
    assert.equal(Object.keys(ok.content).length, 1, path);
  }
});

test('the document describes the CSV of every path that answers CSV, with its parameters', async () => {
  await using server = await startTestServer();
  const paths = pathsExcept({ '/cotizaciones/stream': 'its response does not end' });
  for (const { path, target, isTable } of paths) {
    const separator = target.includes('?') ? '&' : '?';
    const answer = await server.get(`${target}${separator}formato=csv`);
    assert.equal(answer.header('content-type')?.startsWith('text/csv'), isTable, path);
    const { get } = (openapiWithCsv as unknown as Document).paths[path] ?? assert.fail();
    const last = get.parameters?.slice(-2).map(({ name }) => name);
    if (isTable) assert.deepEqual(last, ['formato', 'decimal'], path);
  }
});

test('every example in the document is a valid response of the contract', () => {
  const { paths } = openapiWithCsv as unknown as Document;
  let checked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    for (const [status, response] of Object.entries(get.responses)) {
      if (!('content' in response)) continue;
      for (const [type, { example, examples = {} }] of Object.entries(response.content)) {
        const named = Object.values(examples) as readonly { readonly value: unknown }[];
        const all = [
          ...(example === undefined ? [] : [example]),
          ...named.map(({ value }) => value),
        ];
        for (const one of all) {
          assertContract('GET', path, {
            status: Number(status),
            header: (name) => headersOf(type, response).get(name.toLowerCase()),
            body: typeof one === 'string' ? one : JSON.stringify(one),
          });
          checked += 1;
        }
      }
    }
  }
  assert.ok(checked >= 10);
});
