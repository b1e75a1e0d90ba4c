import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';

import { contractPaths } from '../support/http/contract-paths.ts';
import { startCarriers, type Carrier, type Request } from './carriers.ts';
import type { Field, Response } from '../support/http/response-reader.ts';
import { readSamplePlayground } from './sample-playground.ts';
import { until } from '../support/wait.ts';

/**
 * RFC 9110 12.5.5 and RFC 9111 4.1: two requests that differ in one field get two responses. Where the
 * responses differ, each of them names that field in `Vary`.
 */

const origin = 'https://desk.example';
const playground = await readSamplePlayground();
const withOrigins = await startCarriers({ corsOrigins: [origin], playground });
const withoutOrigins = await startCarriers({ playground });
after(async () => {
  await withOrigins[Symbol.asyncDispose]();
  await withoutOrigins[Symbol.asyncDispose]();
});

type Choice = readonly [name: string, ...values: readonly (string | undefined)[]];

/** The compared values of each field. Undefined: the field is absent. */
const choices: readonly Choice[] = [
  ['accept', undefined, 'text/csv', 'image/png'],
  ['accept-encoding', undefined, 'gzip', 'br', 'identity;q=0, *;q=0'],
  ['origin', undefined, origin, 'https://other.example', 'null'],
];

const preflightChoices: readonly Choice[] = [
  ['origin', undefined, origin, 'https://other.example'],
  ['access-control-request-method', undefined, 'GET', 'PUT'],
  ['access-control-request-headers', undefined, 'authorization', 'x-other'],
];

/** Fields on which no response depends, so Vary need not name them. */
const irrelevant: readonly Field[] = [
  ['accept-language', 'en'],
  ['cookie', 'a=b'],
  ['user-agent', 'Mozilla/5.0'],
  ['range', 'bytes=0-9'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-host', 'other.example'],
  ['sec-fetch-mode', 'navigate'],
  ['save-data', 'on'],
];

const targets: readonly string[] = [
  ...contractPaths.map((one) => one.target),
  '/cotizaciones?especie=GGAL,NADA',
  '/cotizaciones?especie=GGAL&formato=csv&decimal=coma',
  '/cotizaciones?panel=NADA',
  '/especies.json?campos=precioPor',
  '/',
  '/assets/a.js',
  '/nada',
];

/** The requests in which one field is changed. */
const contexts: readonly Omit<Request, 'target'>[] = [
  {},
  { fields: [['origin', origin]] },
  { fields: [['accept-encoding', 'gzip']] },
  { fields: [['if-none-match', '*']] },
  { method: 'HEAD' },
];

/**
 * The carriers that get every context. differential.test.ts shows that all carriers give the same responses, so the
 * others get each target once.
 */
function isThorough({ name }: Carrier): boolean {
  return /^HTTP\/(?:1\.1|2)$/.test(name);
}

/** The same without a valid key. A refused request is refused before its path is read. */
const refusedContexts: readonly Omit<Request, 'target'>[] = [
  { key: 'none' },
  { method: 'POST', key: 'wrong' },
];

/** A path that needs a key, one that needs none, and one that does not exist. */
const refusedTargets = ['/cotizaciones?panel=LID', '/openapi.json', '/nada'];

const preflight: Omit<Request, 'target'> = {
  method: 'OPTIONS',
  key: 'none',
  fields: [
    ['origin', origin],
    ['access-control-request-method', 'GET'],
  ],
};

/** The parts of a response that must be equal for a cache to treat two responses as the same. */
function essence({ status, fields, body }: Response): string {
  const own = fields.filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return JSON.stringify([
    status,
    own.map((one) => one.join(': ')).toSorted(),
    body.toString('latin1'),
  ]);
}

/** Beyond this length a body is compressed on another thread, and the first responses may precede its compressed form. */
const compressNowBytesMax = 96 * 1_024;

/** Sends a request until its response has the form that all later ones have. */
function settled(carrier: Carrier, request: Request): Promise<Response> {
  const isCoded = request.fields?.some(([, value]) => value === 'gzip' || value === 'br') === true;
  return until('the body is compressed', async () => {
    const response = await carrier.send(request);
    const isLong = Number(response.header('content-length') ?? 0) > compressNowBytesMax;
    return isCoded && isLong && response.header('content-encoding') === undefined
      ? false
      : response;
  });
}

/** Fails unless `Vary` is correct. Returns the number of fields on which the responses depend. */
async function assertVary(
  carrier: Carrier,
  request: Request,
  compared: readonly Choice[],
): Promise<number> {
  const { method = 'GET', target, key = 'valid' } = request;
  let differences = 0;
  for (const [name, ...values] of compared) {
    const others = (request.fields ?? []).filter(([own]) => own !== name);
    const responses: Response[] = [];
    for (const value of values) {
      const fields: Field[] = value === undefined ? [...others] : [...others, [name, value]];
      responses.push(await settled(carrier, { ...request, fields }));
    }
    if (new Set(responses.map(essence)).size === 1) continue;
    differences += 1;
    for (const [at, { status, header }] of responses.entries()) {
      const vary = (header('vary') ?? '').toLowerCase().split(/ *, */);
      const sent = `${method} ${target}, key ${key}, ${JSON.stringify(others)}`;
      assert.ok(
        vary.includes(name),
        `${sent}, ${name} ${values[at]}: ${status}, Vary ${vary.join()}`,
      );
    }
  }
  const fields = [...(request.fields ?? []), ...irrelevant];
  const [one, other] = [
    await settled(carrier, request),
    await settled(carrier, { ...request, fields }),
  ];
  assert.equal(essence(other), essence(one));
  return differences;
}

for (const [what, all] of [
  ['where origins may read responses', withOrigins.all],
  ['where none may', withoutOrigins.all.filter(isThorough)],
] as const) {
  suite(`RFC 9110 12.5.5, ${what}`, () => {
    for (const carrier of all) {
      test(`${carrier.name}: Vary names each field on which a response depends`, async () => {
        let differences = 0;
        const sent = isThorough(carrier) ? contexts : contexts.slice(0, 1);
        const requests = [
          ...targets.flatMap((target) => sent.map((context) => ({ ...context, target }))),
          ...refusedTargets.flatMap((target) =>
            refusedContexts.map((context) => ({ ...context, target })),
          ),
        ];
        for (const request of requests) differences += await assertVary(carrier, request, choices);
        assert.ok(differences > targets.length);
      });

      test(`${carrier.name}: Vary names each field on which a preflight depends`, async () => {
        for (const target of ['/cotizaciones', '/nada']) {
          await assertVary(carrier, { ...preflight, target }, preflightChoices);
        }
      });
    }
  });
}
