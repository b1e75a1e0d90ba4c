import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { pathsExcept } from '../support/http/contract-paths.ts';
import { startCarriers, type Carrier, type Request } from './carriers.ts';
import type { Field, Response } from '../support/http/response-reader.ts';

/** RFC 9110: methods, statuses and content negotiation, by every carrier. */

const carriers = await startCarriers();
after(() => carriers[Symbol.asyncDispose]());

const quotes = '/cotizaciones?panel=LIDGEN';
const history = '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31';

const targets: readonly string[] = [
  ...pathsExcept({ '/cotizaciones/stream': 'its response does not end' }).map((one) => one.target),
  '/cotizaciones?especie=GGAL,NADA',
  quotes,
  '/cotizaciones?panel=NADA',
  '/cotizaciones',
  '/cotizaciones/stream',
  history,
  '/historicos?especie=AL30',
  '/especies.json?campos=precioPor',
  '/nada',
];

/** Registered methods of HTTP, methods of other protocols, and unknown tokens. */
const methods: readonly string[] = [
  ...METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method)),
  'PLAY',
  'DESCRIBE',
  'GET_PARAMETER',
  'FOO',
  'get',
  'GETT',
  'X-Y.Z',
  '!#$%&',
  'x'.repeat(300),
];

/** Whether Node's parser knows a method. It rejects messages with other methods. */
function isKnown(method: string): boolean {
  return METHODS.includes(method);
}

/** The fields of a response that depend neither on the time nor on the connection. */
function lasting({ fields }: Response): readonly Field[] {
  return fields
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function decoded({ header, body }: Response): string {
  const coding = header('content-encoding');
  if (coding === 'gzip') return gunzipSync(body).toString();
  if (coding === 'br') return brotliDecompressSync(body).toString();
  if (coding === 'zstd') return zstdDecompressSync(body).toString();
  assert.equal(coding, undefined);
  return body.toString();
}

async function sendWith(
  carrier: Carrier,
  target: string,
  ...fields: readonly Field[]
): Promise<Response> {
  return await carrier.send({ target, fields });
}

for (const carrier of carriers.all) {
  test(`RFC 9110 9.3.2, ${carrier.name}: HEAD has the status and the fields of GET, and no content`, async () => {
    for (const target of targets) {
      for (const key of ['valid', 'wrong', 'none'] as const) {
        for (const fields of [[], [['accept', 'text/csv']], [['if-none-match', '*']]] as const) {
          const request: Request = { target, key, fields };
          const whole = await carrier.send(request);
          const head = await carrier.send({ ...request, method: 'HEAD' });
          const what = `${target}, key ${key} ${fields.join()}`;
          assert.equal(head.status, whole.status, what);
          assert.deepEqual(lasting(head), lasting(whole), what);
        }
      }
    }
  });

  test(`RFC 9110 9.1 and contract 4.5.1 and 5.2, ${carrier.name}: another method gets 401 without a key, and 405 with Allow with one`, async () => {
    for (const method of methods) {
      for (const key of ['valid', 'wrong', 'none'] as const) {
        for (const target of ['/cotizaciones?especie=GGAL', '/healthz', '/nada']) {
          const response = await carrier.send({ method, target, key });
          const what = `${method} ${target}, key ${key}: ${response.status}`;
          assert.doesNotMatch(response.body.toString(), /"especie"/, what);
          if (carrier.version !== '2' && !isKnown(method)) {
            assert.deepEqual([response.status, response.closes], [400, true], what);
          } else if (key !== 'valid') assert.equal(response.status, 401, what);
          else {
            assert.ok([404, 405].includes(response.status), what);
            assert.equal(response.status, target === '/nada' ? response.status : 405, what);
            const allow = response.status === 405 ? 'GET, HEAD' : undefined;
            assert.equal(response.header('allow'), allow, what);
          }
        }
      }
    }
  });

  test(`RFC 9110 9.3.6, ${carrier.name}: CONNECT opens no tunnel`, async () => {
    for (const [key, status] of [
      ['valid', 405],
      ['wrong', 401],
      ['none', 401],
    ] as const) {
      const response = await carrier.send({ method: 'CONNECT', target: 'example.com:443', key });
      assert.equal(response.status, status);
    }
  });

  test(`RFC 9110 9.3.8, ${carrier.name}: TRACE does not send the request back`, async () => {
    const fields = [['cookie', 'secret=1']] as const;
    const response = await carrier.send({ method: 'TRACE', target: quotes, fields });
    assert.equal(response.status, 405);
    assert.doesNotMatch(response.body.toString(), /secret/);
  });

  test(`RFC 9110 11.6.1 and RFC 6750 3, ${carrier.name}: a 401 has a challenge, which names invalid_token where a key was sent`, async () => {
    for (const target of targets) {
      if (['/openapi.json', '/healthz'].includes(target)) continue;
      const none = await carrier.send({ target, key: 'none' });
      assert.equal(none.status, 401, target);
      assert.doesNotMatch(none.header('www-authenticate') ?? '', /error=/);
      const wrong = await carrier.send({ target, key: 'wrong' });
      assert.equal(wrong.status, 401, target);
      assert.match(wrong.header('www-authenticate') ?? '', /error="invalid_token"/);
    }
  });

  test(`RFC 9110 11.1, ${carrier.name}: the case of the authentication scheme is ignored`, async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const fields = [['authorization', `${scheme} ${carrier.server.key}`]] as const;
      const { status } = await carrier.send({ target: quotes, key: 'none', fields });
      assert.equal(status, 200, scheme);
    }
    for (const value of [
      'Basic Og==',
      'Bearer',
      `Bearer${carrier.server.key}`,
      carrier.server.key,
    ]) {
      const fields = [['authorization', value]] as const;
      assert.equal(
        (await carrier.send({ target: quotes, key: 'none', fields })).status,
        401,
        value,
      );
    }
  });

  test(`RFC 9110 5.1, ${carrier.name}: the case of a field name is ignored`, async () => {
    const name = carrier.version === '2' ? 'authorization' : 'aUTHORIZATION';
    const fields = [[name, `Bearer ${carrier.server.key}`]] as const;
    assert.equal((await carrier.send({ target: quotes, key: 'none', fields })).status, 200);
  });

  test(`RFC 9110 12.5.1, ${carrier.name}: the type of the content is the one that the client prefers`, async () => {
    const isCsv = /^text\/csv/;
    const isJson = /^application\/json/;
    for (const [accept, expected] of [
      ['', isJson],
      ['*/*', isJson],
      ['text/csv', isCsv],
      ['TEXT/CSV', isCsv],
      ['text/*', isCsv],
      ['application/*', isJson],
      ['text/csv, application/json;q=0.9', isCsv],
      ['text/csv;q=0.5, application/json;q=0.4', isCsv],
      ['text/csv;q=0.4, application/json;q=0.5', isJson],
      ['text/csv;q=0.001, */*;q=0', isCsv],
      ['text/csv;q=0, */*', isJson],
      ['text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5', isJson],
      ['*/*;q=0.1, text/csv', isCsv],
      ['application/json;q=0, */*', isCsv],
      ['application/json;q=0,\ttext/csv ; q=1.000', isCsv],
    ] as const) {
      for (const target of [quotes, history]) {
        const response = await sendWith(carrier, target, ['accept', accept]);
        assert.equal(response.status, 200, accept);
        assert.match(response.header('content-type') ?? '', expected, `${target} ${accept}`);
      }
    }
    const inTwo = await sendWith(carrier, quotes, ['accept', 'image/png'], ['accept', 'text/csv']);
    assert.match(inTwo.header('content-type') ?? '', isCsv, 'in two lines');
  });

  test(`RFC 9110 12.5.1, ${carrier.name}: a client that accepts none of the available types gets one of them, or 406`, async () => {
    for (const accept of ['image/png', '*/*;q=0', 'text/csv;q=0, application/json;q=0', ';;,=']) {
      for (const target of [quotes, '/especies.txt', '/openapi.json', '/healthz']) {
        const { status } = await sendWith(carrier, target, ['accept', accept]);
        assert.ok([200, 406].includes(status), `${target} ${accept}: ${status}`);
      }
    }
  });

  test(`RFC 9110 12.5.3, ${carrier.name}: the content encoding is one that the client accepts`, async () => {
    const whole = (await sendWith(carrier, quotes)).body.toString();
    for (const [accept, ...allowed] of [
      ['', undefined],
      ['identity', undefined],
      ['gzip', 'gzip', undefined],
      ['GZIP', 'gzip', undefined],
      ['br;q=1.0, gzip;q=0.5', 'br', 'gzip', undefined],
      ['gzip;q=0', undefined],
      ['gzip;q=0, br;q=0, zstd;q=0', undefined],
      ['*;q=0, gzip', 'gzip'],
      ['identity;q=0, gzip', 'gzip'],
      ['identity;q=0, *;q=0.1', 'gzip', 'br', 'zstd', 'deflate'],
      ['*', 'gzip', 'br', 'zstd', undefined],
      ['*, gzip;q=0, br;q=0', 'zstd', undefined],
      ['compress, x-other', undefined],
      ['identity;q=1, gzip;q=0.5', undefined],
    ] as readonly (readonly [string, ...(string | undefined)[]])[]) {
      for (let left = 3; left > 0; left -= 1) {
        const response = await sendWith(carrier, quotes, ['accept-encoding', accept]);
        assert.equal(response.status, 200, accept);
        const coding = response.header('content-encoding');
        assert.ok(allowed.includes(coding), `${accept}: ${coding}`);
        assert.equal(decoded(response), whole, accept);
      }
    }
  });

  test(`RFC 9110 12.5.3, ${carrier.name}: a client that accepts none of the available encodings gets 406`, async () => {
    for (const accept of [
      '*;q=0',
      'identity;q=0',
      'identity;q=0.000, compress',
      '*;q=0, x-other',
    ]) {
      const { status } = await sendWith(carrier, quotes, ['accept-encoding', accept]);
      assert.equal(status, 406, accept);
    }
  });

  test(`RFC 9110 10.1.1, ${carrier.name}: an expectation of a request without content gets the final response at once`, async () => {
    for (const expect of ['100-continue', '100-Continue', 'something-else']) {
      const response = await sendWith(carrier, quotes, ['expect', expect]);
      assert.ok([200, 417].includes(response.status), `${expect}: ${response.status}`);
      if (expect.toLowerCase() === '100-continue') assert.equal(response.status, 200);
    }
  });

  test(`RFC 9110 5.6.1, ${carrier.name}: empty elements of a list are ignored`, async () => {
    const csv = await sendWith(carrier, quotes, ['accept', ', ,text/csv,,']);
    assert.match(csv.header('content-type') ?? '', /^text\/csv/);
    const coded = await sendWith(carrier, quotes, ['accept-encoding', ', gzip,,identity;q=0']);
    assert.equal(coded.header('content-encoding'), 'gzip');
  });

  test(`RFC 9110 7.8, ${carrier.name}: a request to change the protocol is ignored`, async () => {
    if (carrier.version === '2') return;
    for (const upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
      const fields = [
        ['upgrade', upgrade],
        ['connection', 'upgrade, http2-settings'],
        ['http2-settings', 'AAMAAABkAAQAAP__'],
        ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ] as const;
      for (const target of [quotes, '/healthz']) {
        const response = await carrier.send({ target, fields });
        assert.equal(response.status, 200, upgrade);
        assert.equal(response.header('upgrade'), undefined);
      }
    }
  });
}
