import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import * as fc from 'fast-check';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import { exchange } from '../support/http/exchange-bytes.ts';
import { fuzzCases, type FuzzCase } from '../support/http/requests.ts';
import { pathsExcept } from '../support/http/contract-paths.ts';
import { startCarriers, type Carrier, type Carriers, type Request } from './carriers.ts';
import type { Field, Response } from '../support/http/response-reader.ts';

/**
 * Every carrier gives the same response to the same request. Each carrier has its own server with the same data,
 * and gets the same requests in the same order. So any difference comes from the carrier.
 */

/** Number of requests that every carrier gets: a part of every test run, or of `npm run test:fuzz`. */
const requestsMax = Math.ceil(Number(process.env['FUZZ_REQUESTS'] ?? 12_000) / 20);

/** The same requests in every test run, others in each run of `npm run test:fuzz`. */
const ownSeed = process.env['FUZZ_REQUESTS'] === undefined ? 1 : Date.now() % 2 ** 31;
const seed = Number(process.env['FUZZ_SEED'] ?? ownSeed);

const origin = 'https://desk.example';

const target = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...pathsExcept({ '/cotizaciones/stream': 'below, because its response does not end' }).map(
        (one) => one.target,
      ),
      '/cotizaciones?especie=GGAL',
      '/cotizaciones?especie=ggal,NADA,%20dolar+mep',
      '/cotizaciones?panel=LIDGEN',
      '/cotizaciones?panel=BON&especie=GGAL',
      '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31',
      '/historicos?especie=NADA&desde=2024-01-01&hasta=2024-02-29',
      '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31&ajuste=total&campos=minimo',
      '/historicos?especie=AL30,NADA&panel=IND&desde=2020-01-01&hasta=2026-12-31&forma=larga',
      '/historicos?panel=BON&desde=2020-01-01&hasta=2026-12-31&forma=ancha&formato=csv',
      '/eventos?especie=AL30&desde=2020-01-01&hasta=2026-12-31',
      '/especies.txt?panel=LID',
      '/especies.json?panel=IND',
      '/especies.json?panel=BON&campos=precioPor',
      '/especies.json?buscar=d%C3%B3lar+m',
      '/cotizaciones?panel=LIDGEN&formato=csv&decimal=coma',
      '/mercados?formato=csv',
      '/indices?indice=CER',
      '/indices?formato=csv&decimal=coma',
      '/dolares?dolar=mep',
      '/bonos?panel=BONOS',
      '/bonos/flujos?especie=AL30',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/cotizaciones',
      '/cotizaciones?',
      '/cotizaciones?panel=lid',
      '/cotizaciones?panel=LID&panel=GEN',
      '/cotizaciones?especie=%zz',
      '/cotizaciones?especie=%00',
      '/cotizaciones?especie=%C3',
      '/cotizaciones?especie=GGAL#x',
      `/cotizaciones?especie=${'A,'.repeat(501)}`,
      '/historicos?especie=AL30',
      '/historicos?especie=AL30&desde=2024-02-30&hasta=2024-12-31',
      '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31&ajuste=no',
      '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31&forma=ancha&campos=maximo',
      '/especies.txt?panel=NADA',
      '/especies.json?campos=cusip',
      '/cotizaciones?especie=GGAL&formato=xml',
      '/mercados?anio=26',
      '/indices?indice=IPIM',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/',
      '/nada',
      '/healthz',
      '/openapi.json',
      '/cotizaciones/',
      '//cotizaciones?especie=GGAL',
      '/%63otizaciones?especie=GGAL',
      '/healthz/../cotizaciones?especie=GGAL',
      '/cotizaciones;x?especie=GGAL',
      '/cotizaciones/stream',
      '/cotizaciones/stream?especie=GGAL',
      '/v5/cotizaciones?especie=GGAL',
      `/cotizaciones?x=${'y'.repeat(17_000)}`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .stringMatching(/^[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~"<>[\]^`{|}\\]{0,20}$/)
      .map((text) => `/cotizaciones?especie=${text}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .stringMatching(/^[!$&'()*+,\-./0-9:;=?@A-Z_a-z~"<>[\]^`{|}\\]{0,12}$/)
      .map((text) => `/${text}`),
  },
);

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constant('HEAD') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'QUERY', 'PROPFIND'),
  },
);

const quality = fc.constantFrom(
  '',
  ';q=0',
  ';q=0.5',
  ';q=1',
  ';q=0.001',
  ' ; q=0.9',
  ';q=2',
  ';q=x',
);

function listOf(...items: readonly string[]): fc.Arbitrary<string> {
  return (
    fc
      .array(fc.tuple(fc.constantFrom(...items), quality), { minLength: 1, maxLength: 4 })
      // White space around a value is not part of it, and is malformed in HTTP/2 (RFC 9113 8.2.1).
      .map((parts) =>
        parts
          .map(([item, weight]) => item + weight)
          .join(', ')
          .trim(),
      )
  );
}

const field: fc.Arbitrary<Field> = fc.oneof(
  fc.tuple(
    fc.constant('accept'),
    listOf('text/csv', 'application/json', 'text/*', '*/*', 'text/html', 'image/png', ''),
  ),
  fc.tuple(
    fc.constant('accept-encoding'),
    listOf('gzip', 'br', 'zstd', 'identity', '*', 'deflate', 'GZIP', ''),
  ),
  fc.tuple(
    fc.constant('if-none-match'),
    fc.constantFrom('*', '"x"', 'W/"x", "y"', 'x', '', '"', '"a', '*, "x"'),
  ),
  fc.tuple(
    fc.constant('if-modified-since'),
    fc.constantFrom(
      'Fri, 20 Nov 2026 20:00:00 GMT',
      'Fri, 20 Nov 2026 19:00:00 GMT',
      'Thu, 01 Jan 2099 00:00:00 GMT',
      'Friday, 20-Nov-26 20:00:00 GMT',
      'Fri Nov 20 20:00:00 2026',
      '2026-11-20T20:00:00Z',
      'never',
      '0',
    ),
  ),
  fc.tuple(
    fc.constant('origin'),
    fc.constantFrom(origin, 'https://other.example', 'null', '', 'HTTPS://desk.example'),
  ),
  fc.constantFrom<Field>(
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
    ['if-match', '"x"'],
    ['if-unmodified-since', 'Fri, 20 Nov 2026 19:00:00 GMT'],
    ['range', 'bytes=0-1'],
    ['user-agent', 'curl/8'],
    ['cookie', 'a=b'],
    ['forwarded', 'for=203.0.113.9;proto=https'],
    ['forwarded', 'for="[2001:db8::1]:80";proto=http'],
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-for', 'unknown, 203.0.113.9'],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'other.example'],
    ['last-event-id', '5'],
    ['x-other', 'y'.repeat(9_000)],
    ['x-other', '\u00e9'],
    ['x-other', ''],
    ['content-type', 'text/plain'],
    ['authorization', 'Basic Og=='],
    ['expect', '100-continue'],
  ),
  // A random name and value. The excluded names have a special meaning.
  fc
    .tuple(fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,12}$/), fc.stringMatching(/^[!-~]{0,30}$/))
    .filter(
      ([name]) =>
        !/^(?:host|content-length|transfer-encoding|te|expect|upgrade|connection|keep-alive)$/.test(
          name,
        ),
    ),
);

const request: fc.Arbitrary<Request> = fc.record({
  method,
  target,
  key: fc.constantFrom('valid', 'valid', 'valid', 'valid', 'wrong', 'none'),
  fields: fc.array(field, { maxLength: 5 }),
  cuts: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
    },
  ),
});

/** Fields that depend on the connection, on TLS, on the time or on the store of a server, so they differ between carriers. */
const ownFields = new Set([
  'connection',
  'keep-alive',
  'date',
  'strict-transport-security',
  'conocido-desde',
]);

/** The comparable parts of a response. Fields are sorted, because the order of different names has no meaning. */
function comparable({ status, fields, body }: Response): object {
  const shared = fields.filter(([name]) => !ownFields.has(name)).map((one) => one.join(': '));
  return { status, fields: shared.toSorted(), body: body.toString('latin1') };
}

/** Whether the response may be compressed. One carrier may get the compressed form before another. */
function isCoded({ fields = [] }: Request): boolean {
  return fields.some(([name]) => name === 'accept-encoding');
}

/** Whether the body contains the time and the uptime. */
function isOfTheInstant({ target: text }: Request): boolean {
  return text.startsWith('/healthz');
}

async function sendAll(all: readonly Carrier[], one: Request): Promise<readonly Response[]> {
  const responses: Response[] = [];
  for (const carrier of all) {
    try {
      responses.push(await carrier.send(one));
    } catch (cause) {
      throw new Error(`${carrier.name}: ${JSON.stringify(one)}`, { cause });
    }
  }
  return responses;
}

function isEqual(responses: readonly Response[]): boolean {
  const different = new Set(responses.map((response) => JSON.stringify(comparable(response))));
  return different.size === 1;
}

async function assertEqual(all: readonly Carrier[], one: Request): Promise<void> {
  let responses = await sendAll(all, one);
  for (let left = isCoded(one) ? 200 : 0; left > 0 && !isEqual(responses); left -= 1) {
    await sleep(20);
    responses = await sendAll(all, one);
  }
  const [first, ...others] = responses.map((response) =>
    isOfTheInstant(one) ? { status: response.status } : comparable(response),
  );
  for (const [at, other] of others.entries()) {
    assert.deepEqual(
      other,
      first,
      `seed ${seed}: ${all[at + 1]?.name} and ${all[0]?.name} differ on ${JSON.stringify(one)}`,
    );
  }
}

const plan = { requests: 1_000, seconds: 3_600, burst: 200 };

/** Configurations that change how requests are admitted. */
const servers: Readonly<Record<string, () => Partial<PublicServerParts>>> = {
  'as it starts': () => ({}),
  'with origins, a header of the operator and simulated data': () => ({
    corsOrigins: [origin],
    dataSource: 'simulated',
    headers: { 'x-operator': 'a' },
  }),
  'behind a proxy and below a base path': () => ({
    basePath: '/v5',
    transport: { proxies: addressRanges(['127.0.0.1']), plainPeers: addressRanges(['127.0.0.1']) },
  }),
  'with a plan and a limit of failures': () => ({
    rateLimits: new RateLimits({
      plans: new RatePlans({ plans: new Map([['free', plan]]), defaultPlan: 'free' }),
      failures: { requests: 100, seconds: 3_600, burst: 50 },
    }),
  }),
  'in which every request waits for its turn': () => ({ limits: { turnBudgetMs: -1 } }),
};

suite('differential', () => {
  let at = 0;
  for (const [what, parts] of Object.entries(servers)) {
    const own = seed + at;
    at += 1;
    let carriers: Carriers | undefined;
    after(() => carriers?.[Symbol.asyncDispose]());

    test(`a server ${what}: every carrier gives the same response`, async (t) => {
      t.diagnostic(`seed ${seed}`);
      carriers = await startCarriers(parts);
      const { basePath = '' } = parts();
      const numRuns = Math.ceil(requestsMax / Object.keys(servers).length);
      for (const one of fc.sample(request, { seed: own, numRuns })) {
        await assertEqual(carriers.all, { ...one, target: basePath + one.target });
      }
    });
  }
});

/** Maximum length of a message. A longer one may be refused unread, and a reset may overtake the response. */
const messageBytesMax = 12_000;

/** A placeholder for the key of each server, in bytes that several servers receive. */
const keyInBytes = 'pz_0123456789abcdefghijABCDEFGHIJ0123456789';

/** The responses of a server, without the parts that depend on the connection, on TLS or on the time. */
function comparableText(text: string): string {
  return text
    .replaceAll(/^(?:date|connection|keep-alive|strict-transport-security):.*\r\n/gim, '')
    .replaceAll(/^[\w-]+(?=: )/gm, (name) => name.toLowerCase())
    .replaceAll(/(?<=\r\n)(?:[a-z-]+: .*\r\n)+/g, (lines) =>
      lines.split('\r\n').toSorted().join('\r\n'),
    )
    .replaceAll(/\{"estado".*?\}\}/g, '');
}

/** Sends bytes to a server, in pieces if there are cuts, and gives what is comparable of the responses. */
async function responsesTo(
  one: FuzzCase,
  carrier: Carrier,
  cuts: readonly number[] = [],
): Promise<string> {
  const { key, port } = carrier.server;
  const text = one.bytes.toString('latin1').replaceAll(keyInBytes, key);
  const bytes = Buffer.from(text, 'latin1');
  const at = { port, isTls: carrier.isTls };
  const received = await exchange(at, { ...one, bytes }, 0, cuts);
  return comparableText(received.replaceAll(key, keyInBytes));
}

/**
 * Gives the ways whose responses differ from those of the first way. Node ends a TLS connection together
 * with its client, so over TLS the last responses may be missing.
 */
async function differing(
  ways: Readonly<Record<string, () => Promise<string>>>,
): Promise<readonly string[]> {
  let whole: string | undefined;
  const different: string[] = [];
  for (const [name, send] of Object.entries(ways)) {
    const received = await send();
    whole ??= received;
    const isFirstPart = name === 'over TLS' && received !== '' && whole.startsWith(received);
    if (received !== whole && !isFirstPart) different.push(`${name}: ${received}`);
  }
  return different.length === 0 ? [] : [`whole: ${whole}`, ...different];
}

suite('differential, HTTP/1 byte for byte', () => {
  test('unusual messages get the same responses in one piece, in several, from Node and over TLS', async (t) => {
    t.diagnostic(`seed ${seed}`);
    await using carriers = await startCarriers();
    const [socket, node, , tls] = carriers.http1;
    assert.ok(socket !== undefined && node !== undefined);
    const numRuns = Math.ceil(requestsMax / 2);
    const cases = fc.sample(fc.tuple(fuzzCases(keyInBytes), request), { seed, numRuns });
    for (const [one, { cuts = [] }] of cases) {
      if (one.bytes.length > messageBytesMax) continue;
      const ways = {
        whole: () => responsesTo(one, socket),
        'in pieces': () => responsesTo(one, socket, [...cuts, 0.3, 0.6]),
        'from Node': () => responsesTo(one, node),
        ...(tls === undefined ? {} : { 'over TLS': () => responsesTo(one, tls) }),
      };
      let different = await differing(ways);
      // A body may be sent before it is compressed, by one server earlier than by another.
      const mayBeCoded = one.bytes.includes('Accept-Encoding');
      for (let left = mayBeCoded ? 200 : 0; left > 0 && different.length > 0; left -= 1) {
        await sleep(20);
        different = await differing(ways);
      }
      assert.deepEqual(
        different,
        [],
        `seed ${seed}: ${JSON.stringify(one.bytes.toString('latin1'))}`,
      );
    }
  });
});
