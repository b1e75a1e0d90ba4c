import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { testNow } from '../support/http/start-test-server.ts';
import { contractPaths } from '../support/http/contract-paths.ts';
import { startCarriers, type Carrier, type Request } from './carriers.ts';
import type { Field, Response } from '../support/http/response-reader.ts';
import { readSamplePlayground } from './sample-playground.ts';

/** RFC 9110 section 13: conditional requests, by every carrier. */

/** The clock of the servers. It only increases, because it dates the versions of content. */
let now = testNow;
const clock = { now: () => now, monotonic: () => now };
const origin = 'https://desk.example';
const carriers = await startCarriers({
  clock,
  corsOrigins: [origin],
  playground: await readSamplePlayground(),
});
after(() => carriers[Symbol.asyncDispose]());

const history = '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31';

/** The targets whose responses have an entity tag. */
const tagged: readonly string[] = [
  ...contractPaths.filter(({ hasTag }) => hasTag).map(({ target }) => target),
  '/cotizaciones?especie=GGAL,NADA',
  '/cotizaciones?panel=LIDGEN',
  history,
  '/especies.json?buscar=g',
  '/especies.json?campos=precioPor',
  '/',
  '/assets/a.js',
];

/** Requests that get a status other than 2xx with any conditions (RFC 9110 13.2.1). */
const failing: readonly (readonly [status: number, request: Request])[] = [
  [400, { target: '/cotizaciones' }],
  [400, { target: '/historicos?especie=AL30' }],
  [401, { target: '/cotizaciones?panel=LID', key: 'wrong' }],
  [401, { target: '/especies.txt', key: 'none' }],
  [404, { target: '/nada' }],
  [405, { target: '/cotizaciones?panel=LID', method: 'POST' }],
  [405, { target: '/cotizaciones?panel=LID', method: 'OPTIONS' }],
  [406, { target: '/cotizaciones?panel=LID', fields: [['accept-encoding', '*;q=0']] }],
];

function conditional(request: Request, ...fields: readonly Field[]): Request {
  return { ...request, fields: [...(request.fields ?? []), ...fields] };
}

async function etagOf(carrier: Carrier, request: Request): Promise<string> {
  const { header } = await carrier.send(request);
  return header('etag') ?? assert.fail(`${request.target} has no ETag`);
}

function since(text: string): Field {
  return ['if-modified-since', text];
}

/** Fails unless a 304 has those fields of the 200 with which a cache updates its stored response. */
function assertUpdates(held: Response, whole: Response, what: string): void {
  assert.equal(held.status, 304, what);
  for (const name of [
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cache-control',
    'content-location',
    'etag',
    'expires',
    'last-modified',
    'missing-especies',
    'vary',
  ]) {
    assert.equal(held.header(name), whole.header(name), `${what}: ${name}`);
  }
  for (const name of ['content-type', 'content-encoding', 'content-length']) {
    assert.equal(held.header(name), undefined, `${what}: ${name}`);
  }
}

for (const carrier of carriers.all) {
  test(`RFC 9110 15.4.5, ${carrier.name}: a 304 has the fields of the 200 that a cache needs, and none of its content`, async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const target of tagged) {
        for (const fields of [[], [['accept-encoding', 'gzip']], [['origin', origin]]] as const) {
          const request = { method, target, fields };
          const whole = await carrier.send(request);
          const etag = whole.header('etag') ?? assert.fail(target);
          const held = await carrier.send(conditional(request, ['if-none-match', etag]));
          assertUpdates(held, whole, `${method} ${target} ${fields.join()}`);
        }
      }
    }
  });

  test(`RFC 9110 13.1.2, ${carrier.name}: If-None-Match compares weakly, accepts a list of tags, and * matches any`, async () => {
    for (const target of tagged) {
      const etag = await etagOf(carrier, { target });
      const statusOf = async (...values: readonly string[]): Promise<number> => {
        const fields = values.map((value): Field => ['if-none-match', value]);
        return (await carrier.send({ target, fields })).status;
      };
      for (const held of [
        etag,
        `W/${etag}`,
        `"x", ${etag}`,
        `"x",W/${etag} , "y"`,
        `"a,b", ${etag}`,
        `, ${etag},`,
        '*',
      ]) {
        assert.equal(await statusOf(held), 304, `${target} ${held}`);
      }
      assert.equal(await statusOf('"x"', etag), 304, `${target}: in two lines`);
      for (const other of [
        '"x"',
        '',
        etag.replaceAll('"', ''),
        `${etag.slice(0, -1)}x"`,
        etag.toLowerCase(),
        `w/"x"`,
        '"*"',
        `"x${etag.slice(1)}`,
      ]) {
        assert.equal(await statusOf(other), 200, `${target} ${other}`);
      }
    }
  });

  test(`RFC 9110 8.8.3.3, ${carrier.name}: representations of different bytes have different entity tags`, async () => {
    const target = '/cotizaciones?panel=LIDGEN';
    const tags = new Map<string, string>();
    for (const accept of ['application/json', 'text/csv']) {
      for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
        const fields: readonly Field[] = [
          ['accept', accept],
          ['accept-encoding', coding],
        ];
        for (let left = 3; left > 0; left -= 1) {
          const { header, body } = await carrier.send({ target, fields });
          const etag = header('etag') ?? assert.fail();
          const bytes = body.toString('latin1');
          assert.equal(tags.get(etag) ?? bytes, bytes, `${accept}, ${coding}: ${etag}`);
          tags.set(etag, bytes);
        }
      }
    }
    assert.ok(tags.size >= 2);
    assert.equal(new Set(tags.values()).size, tags.size, 'equal bytes have equal tags');
  });

  test(`RFC 9110 13.1.3, ${carrier.name}: If-Modified-Since is used only if it is a single valid date that is not in the future`, async () => {
    now += 2_000;
    await carrier.send({ target: history });
    now += 2_000;
    const whole = await carrier.send({ target: history });
    const lastModified = whole.header('last-modified') ?? assert.fail('no Last-Modified');
    const at = Date.parse(lastModified);
    assert.ok(at <= now, 'RFC 9110 8.8.2.1: Last-Modified is not later than the response');
    const [, day = '', month = '', year = '', time = ''] =
      /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\S+) GMT$/.exec(lastModified) ?? [];
    const weekday = new Date(at).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    const forms = [
      lastModified,
      `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
      `${weekday.slice(0, 3)} ${month} ${day} ${time} ${year}`,
      new Date(now).toUTCString(),
    ];
    const ignored = [
      new Date(at - 1_000).toUTCString(),
      new Date(now + 1_000).toUTCString(),
      'Thu, 01 Jan 2099 00:00:00 GMT',
      'Thursday, 01-Jan-76 00:00:00 GMT',
      'Thu Jan  1 00:00:00 2099',
      new Date(now).toISOString(),
      String(now),
      `${lastModified}, ${lastModified}`,
      lastModified.replace('GMT', 'UTC'),
      lastModified.replace('GMT', '+0000'),
      'never',
      '',
    ];
    for (const method of ['GET', 'HEAD']) {
      const statusOf = async (...fields: readonly Field[]): Promise<number> =>
        (await carrier.send({ method, target: history, fields })).status;
      for (const form of forms) assert.equal(await statusOf(since(form)), 304, form);
      for (const text of ignored) assert.equal(await statusOf(since(text)), 200, text);
      assert.equal(await statusOf(since(lastModified), since(lastModified)), 200, 'two lines');
    }
    const held = await carrier.send({
      target: history,
      fields: [['if-modified-since', lastModified]],
    });
    assertUpdates(held, whole, 'If-Modified-Since');
  });

  test(`RFC 9110 13.2.2, ${carrier.name}: If-None-Match is evaluated in place of If-Modified-Since`, async () => {
    now += 2_000;
    const { header } = await carrier.send({ target: history });
    const last = since(header('last-modified') ?? assert.fail());
    const future = since('Thu, 01 Jan 2099 00:00:00 GMT');
    for (const [status, ...fields] of [
      [304, last],
      [200, last, ['if-none-match', '"x"']],
      [200, ['if-none-match', '"x"'], last],
      [304, ['if-modified-since', 'never'], ['if-none-match', '*']],
      [304, future, ['if-none-match', '*']],
      [304, future, ['if-none-match', header('etag') ?? assert.fail()]],
    ] satisfies readonly (readonly [number, ...Field[]])[]) {
      assert.equal((await carrier.send({ target: history, fields })).status, status, fields.join());
    }
    const other = { target: '/especies.txt', fields: [last] };
    assert.equal((await carrier.send(other)).status, 200, 'no Last-Modified to compare with');
  });

  test(`RFC 9110 13.2.1, ${carrier.name}: conditions only affect successful responses`, async () => {
    for (const [status, request] of failing) {
      for (const field of [
        ['if-none-match', '*'],
        ['if-modified-since', new Date(now).toUTCString()],
        ['if-match', '"x"'],
        ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ] as const) {
        const what = `${request.method ?? 'GET'} ${request.target} ${field.join(': ')}`;
        assert.equal((await carrier.send(conditional(request, field))).status, status, what);
      }
    }
  });

  test(`RFC 9110 13.1.5 and 14.2, ${carrier.name}: Range and If-Range are ignored, as no response has Accept-Ranges`, async () => {
    for (const target of tagged) {
      const whole = await carrier.send({ target });
      assert.equal(whole.header('accept-ranges') ?? 'none', 'none');
      for (const fields of [
        [['range', 'bytes=0-1']],
        [['range', 'bytes=9999999-']],
        [
          ['range', 'bytes=0-1'],
          ['if-range', whole.header('etag') ?? ''],
        ],
        [['range', 'rows=1-2']],
      ] satisfies readonly (readonly Field[])[]) {
        const { status, header, body } = await carrier.send({ target, fields });
        assert.deepEqual([status, body], [200, whole.body], `${target} ${fields.join()}`);
        assert.equal(header('content-range'), undefined);
      }
    }
  });
}
