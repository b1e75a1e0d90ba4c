import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { contractPaths } from '../support/http/contract-paths.ts';
import { startCarriers, type Request } from './carriers.ts';
import type { Field } from '../support/http/response-reader.ts';

/** The CORS protocol of the Fetch standard (section 3.3) and RFC 6454, by every carrier. */

const origin = 'https://desk.example';
const carriers = await startCarriers({ corsOrigins: [origin, 'http://localhost:3000'] });
after(() => carriers[Symbol.asyncDispose]());

const origins: readonly string[] = [origin, 'http://localhost:3000'];
/** Origins that differ from the configured one in scheme, host or port (RFC 6454 5). */
const otherOrigins: readonly string[] = [
  'null',
  '',
  '*',
  'http://desk.example',
  'https://DESK.example',
  'https://desk.example:8443',
  'https://desk.example/',
  'https://desk.example.evil',
  'https://evil.desk.example',
  'https://desk.example https://other.example',
  'http://localhost',
];

/** One request for each status that a script must be able to read. */
const requests: readonly (readonly [status: number, request: Request])[] = [
  ...contractPaths.map(({ target, needsKey }): readonly [number, Request] => [
    200,
    { target, ...(needsKey ? {} : { key: 'none' }) },
  ]),
  [200, { target: '/especies.json?campos=precioPor' }],
  [304, { target: '/cotizaciones?panel=LID', fields: [['if-none-match', '*']] }],
  [400, { target: '/cotizaciones' }],
  [400, { target: '/cotizaciones/stream' }],
  [401, { target: '/cotizaciones?panel=LID', key: 'wrong' }],
  [401, { target: '/nada', key: 'none' }],
  [404, { target: '/nada' }],
  [405, { target: '/cotizaciones?panel=LID', method: 'POST' }],
  [406, { target: '/cotizaciones?panel=LID', fields: [['accept-encoding', '*;q=0']] }],
];

const corsFields = /^access-control-/;

function withFields(request: Request, ...fields: readonly Field[]): Request {
  return { ...request, fields: [...(request.fields ?? []), ...fields] };
}

function preflight(target: string, from: string, ...fields: readonly Field[]): Request {
  const asked = [
    ['origin', from],
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
  ] as const;
  return { method: 'OPTIONS', target, key: 'none', fields: [...asked, ...fields] };
}

for (const carrier of carriers.all) {
  test(`Fetch 3.3.3, ${carrier.name}: a script of a configured origin may read every response and its fields`, async () => {
    for (const [status, request] of requests) {
      for (const from of origins) {
        const { header, ...response } = await carrier.send(withFields(request, ['origin', from]));
        const what = `${request.method ?? 'GET'} ${request.target} of ${from}`;
        assert.equal(response.status, status, what);
        assert.equal(header('access-control-allow-origin'), from, what);
        assert.equal(header('access-control-allow-credentials'), undefined, what);
        const exposed = (header('access-control-expose-headers') ?? '')
          .toLowerCase()
          .split(/ *, */);
        for (const name of [
          'conocido-desde',
          'data-source',
          'etag',
          'missing-dividendos',
          'missing-especies',
          'ratelimit',
          'ratelimit-policy',
          'retry-after',
        ]) {
          assert.ok(exposed.includes(name), `${what}: ${name}`);
        }
      }
    }
  });

  test(`Fetch 3.3.3 and RFC 6454 5, ${carrier.name}: no other origin, and no request without one, gets a CORS field`, async () => {
    for (const [status, request] of requests) {
      const sent = [request, ...otherOrigins.map((from) => withFields(request, ['origin', from]))];
      for (const one of sent) {
        const response = await carrier.send(one);
        assert.equal(response.status, status, JSON.stringify(one));
        const named = response.fields.filter(([name]) => corsFields.test(name));
        assert.deepEqual(named, [], JSON.stringify(one));
      }
    }
  });

  test(`Fetch 4.8, ${carrier.name}: a preflight of a configured origin allows GET, HEAD and the key, needs no key, and is the same for every path`, async () => {
    const responses = [];
    for (const target of [...contractPaths.map((one) => one.target), '/nada']) {
      const { status, header, fields, body } = await carrier.send(preflight(target, origin));
      assert.ok(status === 200 || status === 204, `${target}: ${status}`);
      assert.equal(header('access-control-allow-origin'), origin);
      assert.equal(header('access-control-allow-credentials'), undefined);
      const allowed = (header('access-control-allow-methods') ?? '').split(/ *, */);
      assert.deepEqual(allowed.toSorted(), ['GET', 'HEAD']);
      const headers = (header('access-control-allow-headers') ?? '').toLowerCase().split(/ *, */);
      assert.ok(headers.includes('authorization'), 'Fetch 4.8: * does not cover authorization');
      // A page in the public network may read a service in a private one.
      assert.equal(header('access-control-allow-private-network'), 'true');
      assert.equal(body.length, 0);
      responses.push(fields.filter(([name]) => corsFields.test(name)));
    }
    for (const one of responses) assert.deepEqual(one, responses[0], 'a path is revealed');
  });

  test(`Fetch 4.8, ${carrier.name}: a preflight of another origin, and OPTIONS that is not a preflight, is refused like any other method`, async () => {
    for (const from of otherOrigins) {
      const response = await carrier.send(preflight('/cotizaciones', from));
      assert.equal(response.status, 401, from);
      assert.deepEqual(
        response.fields.filter(([name]) => corsFields.test(name)),
        [],
      );
    }
    const noMethod: Request = {
      method: 'OPTIONS',
      target: '/cotizaciones',
      key: 'none',
      fields: [['origin', origin]],
    };
    assert.equal((await carrier.send(noMethod)).status, 401);
    assert.equal((await carrier.send({ ...noMethod, key: 'valid' })).status, 405);
  });

  test(`Fetch 3.3.3, ${carrier.name}: two Origin fields are not a valid origin`, async () => {
    const twice = withFields(
      { target: '/cotizaciones?panel=LID' },
      ['origin', origin],
      ['origin', 'https://evil.example'],
    );
    const response = await carrier.send(twice);
    assert.notEqual(response.header('access-control-allow-origin'), 'https://evil.example');
  });
}
