import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { test } from 'node:test';

import { RatePlans, type RatePlanTable } from '../../../src/auth/rate-plans.ts';
import { parseAllowance, type RateLimit } from '../../../src/domain/access/rate-limit.ts';
import { RateLimits } from '../../../src/http/admission/rate-limits.ts';
import {
  startTestServer,
  testNow,
  type TestAnswer,
  type TestServer,
} from '../../support/http/start-test-server.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { once } from '../../support/wait.ts';

const target = '/cotizaciones?especie=GGAL';
const wrongKey = 'Bearer pz_nobody';

/** Starts a server with limits, whose clock only moves when the test sets it. */
async function startLimited({
  plan,
  failures,
}: {
  readonly plan?: string;
  readonly failures?: string;
}): Promise<{ readonly server: TestServer; readonly clock: { ms: number } }> {
  const table: RatePlanTable =
    plan === undefined
      ? { plans: new Map() }
      : { plans: new Map([['free', limit(plan)]]), defaultPlan: 'free' };
  const rateLimits = new RateLimits({
    plans: new RatePlans(table),
    failures: failures === undefined ? undefined : limit(failures),
  });
  const clock = { ms: testNow };
  const server = await startTestServer({ rateLimits, clock: clockAt(() => clock.ms) });
  return { server, clock };
}

function limit(text: string): RateLimit {
  const allowance = parseAllowance(text);
  assert.ok(typeof allowance === 'object');
  return allowance;
}

function fieldsOf(answer: TestAnswer): readonly (string | undefined)[] {
  return ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => answer.header(name));
}

test('contract 6.1: after its burst a key gets 429, and is served again after Retry-After', async () => {
  const { server, clock } = await startLimited({ plan: '6/min burst 3' });
  await using _ = server;
  for (const left of [2, 1, 0]) {
    const answer = await server.get(target);
    assert.equal(answer.status, 200);
    const fields = ['"free";q=3;w=30', `"free";r=${left};t=${(3 - left) * 10}`, undefined];
    assert.deepEqual(fieldsOf(answer), fields);
  }
  clock.ms += 4_500;
  const refused = await server.get(target);
  assert.equal(refused.status, 429);
  assert.deepEqual(fieldsOf(refused), ['"free";q=3;w=30', '"free";r=0;t=26', '6']);
  assert.match(refused.body, /Se superó la cantidad de pedidos admitida.* en 6 s/);
  clock.ms += 6_000;
  assert.equal((await server.get(target)).status, 200);
  assert.equal((await server.get(target)).status, 429);
});

test('contract 6.1: every response to a limited key has the limit headers, including errors, 304 and HEAD', async () => {
  const { server } = await startLimited({ plan: '100/s' });
  await using _ = server;
  const targets = ['/cotizaciones', '/cotizaciones?panel=X', '/nada', '/especies.txt'];
  const history = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  for (const one of [target, history, '/especies.json', ...targets]) {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const answer = await server.get(one, { method });
      assert.equal(answer.header('ratelimit-policy'), '"free";q=100;w=1', `${method} ${one}`);
      assert.match(answer.header('ratelimit') ?? '', /^"free";r=\d+;t=1$/);
    }
  }
  const etag = (await server.get('/especies.txt')).header('etag');
  if (etag !== undefined) {
    const headers = { 'if-none-match': etag };
    const unchanged = await server.get('/especies.txt', { headers });
    assert.ok(unchanged.header('ratelimit') !== undefined);
  }
});

test('contract 6.1: every request of a key counts, with any response', async () => {
  const { server } = await startLimited({ plan: '4/min' });
  await using _ = server;
  const statuses: number[] = [];
  for (const [one, method] of [
    ['/nada', 'GET'],
    ['/cotizaciones?panel=X', 'GET'],
    [target, 'HEAD'],
    [target, 'POST'],
    [target, 'GET'],
    ['/nada', 'GET'],
  ] as const) {
    statuses.push((await server.get(one, { method })).status);
  }
  assert.deepEqual(statuses, [404, 400, 200, 405, 429, 429]);
});

test('contract 6.1: keys have separate limits', async () => {
  const { server } = await startLimited({ plan: '1/h' });
  await using _ = server;
  const other = `Bearer ${await server.issue({})}`;
  assert.equal((await server.get(target)).status, 200);
  assert.equal((await server.get(target)).status, 429);
  assert.equal((await server.get(target, { authorization: other })).status, 200);
});

test('contract 6.1: responses to an unlimited key have no limit headers', async () => {
  const { server } = await startLimited({ failures: '1/h' });
  await using _ = server;
  for (let count = 0; count < 10; count += 1) {
    const answer = await server.get(target);
    assert.deepEqual([answer.status, ...fieldsOf(answer)], [200, undefined, undefined, undefined]);
  }
});

test('paths that need no key have no limit', async () => {
  const { server } = await startLimited({ plan: '1/h', failures: '1/h' });
  await using _ = server;
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await server.get('/healthz', { authorization: null })).status, 200);
  }
});

test('contract 6.2: an address that guesses keys gets 401, then 429, which reveals nothing about a key', async () => {
  const { server, clock } = await startLimited({ failures: '6/min burst 2' });
  await using _ = server;
  const expired = `Bearer ${await server.issue({ expiresAt: testNow })}`;
  assert.equal((await server.get(target, { authorization: wrongKey })).status, 401);
  const last = await server.get(target, { authorization: null });
  assert.equal(last.status, 401);
  assert.deepEqual(fieldsOf(last), ['"failures";q=2;w=20', '"failures";r=0;t=20', undefined]);
  const bodies = new Set<string>();
  for (const authorization of [wrongKey, null, expired, 'Basic x']) {
    const answer = await server.get(target, { authorization });
    assert.equal(answer.status, 429);
    assert.equal(answer.header('retry-after'), '10');
    assert.equal(answer.header('www-authenticate'), undefined);
    bodies.add(answer.body);
  }
  assert.equal(bodies.size, 1);
  clock.ms += 10_000;
  assert.equal((await server.get(target, { authorization: wrongKey })).status, 401);
});

test('contract 6.2: guessed keys do not affect a valid key from the same address, nor the other way round', async () => {
  const { server } = await startLimited({ plan: '100/s', failures: '1/h' });
  await using _ = server;
  for (let count = 0; count < 5; count += 1) {
    await server.get(target, { authorization: wrongKey });
    const answer = await server.get(target);
    assert.equal(answer.status, 200);
    assert.match(answer.header('ratelimit') ?? '', new RegExp(`^"free";r=${99 - count};`));
  }
  assert.equal((await server.get(target, { authorization: wrongKey })).status, 429);
});

test('a client that keeps exceeding its limit gets 20 lines in the access log, then one with the number of the others', async () => {
  const { server } = await startLimited({ plan: '1/day', failures: '1/day' });
  const refusals = () => server.logged.filter(({ status }) => status === 429);
  for (const authorization of [`Bearer ${server.key}`, wrongKey]) {
    for (let count = 0; count < 31; count += 1) await server.get(target, { authorization });
  }
  assert.equal(refusals().length, 40);
  await server[Symbol.asyncDispose]();
  const summaries = refusals().slice(40);
  assert.deepEqual(
    summaries.map(({ message, requests }) => [message, requests]),
    Array.from({ length: 2 }, () => ['further requests refused', 10]),
  );
});

test('metrics count the refusals and the tracked clients', async () => {
  const table = { plans: new Map([['free', limit('1/day')]]), defaultPlan: 'free' };
  const rateLimits = new RateLimits({ plans: new RatePlans(table), failures: limit('1/day') });
  await using server = await startTestServer({ rateLimits });
  for (let count = 0; count < 3; count += 1) await server.get(target);
  for (let count = 0; count < 4; count += 1) await server.get(target, { authorization: null });
  assert.deepEqual(rateLimits.refused, { keys: 2, addresses: 3 });
  assert.deepEqual(rateLimits.remembered, { keys: 1, addresses: 1 });
});

test('contract 4.5.1: a refusal of HEAD has the headers of a refusal of GET, and no body', async () => {
  const { server } = await startLimited({ plan: '1/day' });
  await using _ = server;
  await server.get(target);
  const [get, head] = [await server.get(target), await server.get(target, { method: 'HEAD' })];
  assert.deepEqual([get.status, head.status, head.body], [429, 429, '']);
  for (const name of ['content-type', 'content-length', 'cache-control', 'retry-after']) {
    assert.equal(head.header(name), get.header(name), name);
  }
});

test('limits can be replaced while the server runs, and used-up requests stay used up', async () => {
  const rateLimits = new RateLimits({ plans: new RatePlans({ plans: new Map() }) });
  await using server = await startTestServer({ rateLimits });
  const plans = (text: string) => ({ plans: new Map([['all', limit(text)]]), defaultPlan: 'all' });
  assert.equal((await server.get(target)).header('ratelimit'), undefined);
  rateLimits.replace(plans('2/day'), limit('1/day'));
  assert.equal((await server.get(target)).header('ratelimit'), '"all";r=1;t=43200');
  rateLimits.replace(plans('10/day'), undefined);
  assert.equal((await server.get(target)).header('ratelimit'), '"all";r=0;t=86400');
  assert.equal((await server.get(target)).status, 429);
});

test('contract 6.2: guessed keys from one address do not affect another address', async () => {
  const { server } = await startLimited({ failures: '1/h' });
  await using _ = server;
  await server.get(target, { authorization: null });
  assert.equal((await server.get(target, { authorization: null })).status, 429);
  assert.equal(await statusFrom('127.0.0.2', server.port), 401);
});

async function statusFrom(localAddress: string, port: number): Promise<number | undefined> {
  const asking = httpRequest({ host: '127.0.0.1', port, path: target, localAddress }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
