import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { SourceServer } from '../../../test/support/http/source-server.ts';
import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import {
  PizarraConnectionError,
  PizarraHttpError,
  type StreamEvent,
} from '../../../clients/typescript/src/index.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { FeedFault } from '../contract/feed.ts';
import { Secrets } from '../contract/secrets.ts';
import { Origin, restMs } from './origin.ts';

const key = 'pz_0123456789';
const patient = { headMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
const asStream = { 'content-type': 'text/event-stream; charset=utf-8' };
const asJson = { 'content-type': 'application/json' };
const { signal } = new AbortController();

function originAt(url: string, overrides: Partial<FeedDeps> = {}): Origin {
  return new Origin(
    { url, key: { env: 'KEY' } },
    {
      universe: makeUniverse([{ ticker: 'GGAL' }]),
      clock: systemClock,
      log: silentLog,
      random: () => 0,
      pause: pauseInRealTime,
      directory: '.',
      secrets: new Secrets({ env: { KEY: key }, directory: '.' }),
      fetchLimits: patient,
      ...overrides,
    },
  );
}

async function serving(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The tickers of an origin, read through the client. */
function tickersOf(origin: Origin): Promise<readonly string[]> {
  return origin.read(
    {
      path: '/especies.json',
      send: (client, options) => client.instruments({}, options),
      map: ({ data }) => data.map(({ especie }) => especie),
    },
    signal,
  );
}

const wrong = (message: RegExp) => ({ code: 'unintelligible', message });

const caused = (kind: abstract new (...given: never[]) => Error) => (fault: FeedFault) =>
  fault.cause instanceof kind;

/** The first connection of a stream. @throws FeedFault */
async function eventsOf(origin: Origin): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  try {
    const options = { signal, attemptsMax: 1 };
    const stream = origin.stream({ especie: ['GGAL'] }, options);
    for await (const event of stream.events) events.push(event);
  } catch (error) {
    const fault = origin.faultOf(error, '/cotizaciones/stream') as FeedFault;
    if (!fault.message.endsWith('/cotizaciones/stream has ended')) throw fault;
  }
  return events;
}

test('the base path precedes each path, and the key is in a header only', async () => {
  const seen: unknown[] = [];
  await using server = await serving(({ url, headers }, response) => {
    seen.push(url, headers.authorization);
    response.writeHead(200, asJson).end('[{"especie":"GGAL"}]');
  });
  for (const base of ['/v5', '/v5//#x']) {
    assert.deepEqual(await tickersOf(originAt(server.url + base)), ['GGAL']);
  }
  const asked = ['/v5/especies.json', `Bearer ${key}`];
  assert.deepEqual(seen, [...asked, ...asked]);
});

test('a status is its fault, with what to do, the wait and the text of the origin, without the key', async () => {
  const faults: readonly (readonly [number, string, string, RegExp])[] = [
    [400, '', 'invalid-request', /answered 400; it may be an older version/],
    [401, '', 'refused', /its key .* another scope than read: create one there/],
    [403, '', 'refused', /plain HTTP .* https:/],
    [404, '', 'invalid-request', /url is the part before \/cotizaciones/],
    [429, '{"error":"Demasiadas."}', 'limited', /answered 429 \(Demasiadas\.\); the plan/],
    [503, `{"error":"No ${key}."}`, 'unavailable', /json answered 503 \(No \[secret\]\.\)$/],
    [503, '<html>', 'unavailable', /answered 503$/],
    [302, '', 'unintelligible', /answered 302$/],
  ];
  let [status, body] = [200, ''];
  await using server = await serving((_, response) => {
    response.writeHead(status, { location: '/x', 'retry-after': '7' }).end(body);
  });
  for (const [sent, text, code, message] of faults) {
    [status, body] = [sent, text];
    const expected = { name: 'FeedFault', code, status, message };
    await assert.rejects(tickersOf(originAt(server.url)), expected);
    await assert.rejects(eventsOf(originAt(server.url)), { name: 'FeedFault', code, status });
  }
  status = 429;
  await assert.rejects(tickersOf(originAt(server.url)), { retryAfterMs: 7_000 });
});

test('of the body of a refusal only the beginning is read, also if it never ends', async () => {
  await using server = await serving((_, response) => {
    response.writeHead(503).write('x'.repeat(9_000));
  });
  const expected = { code: 'unavailable', status: 503 };
  await assert.rejects(tickersOf(originAt(server.url)), expected);
  await assert.rejects(eventsOf(originAt(server.url)), expected);
});

test('a body beyond the limit, another body and a page are not those of a Pizarra', async () => {
  let [type, body] = ['application/json', `["${'x'.repeat(2_000)}"]`];
  await using server = await serving((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const origin = originAt(server.url, { fetchLimits: { ...patient, bodyBytesMax: 1_000 } });
  await assert.rejects(tickersOf(origin), wrong(/json sent more than 1000 bytes$/));
  const is = /especies\.json is not that of a Pizarra: url is the part before \/cotizaciones$/;
  for (body of ['{}', '[', '7']) await assert.rejects(tickersOf(origin), wrong(is));
  [type, body] = ['text/html', '<p>'];
  await assert.rejects(tickersOf(origin), wrong(/\(it sent a page instead of JSON\)/));
  await assert.rejects(eventsOf(origin), wrong(/stream is not that of a Pizarra/));
});

test('an event beyond the limit is not that of a Pizarra', async () => {
  await using server = await serving((_, response) => {
    response.writeHead(200, asStream).end(`data: ${'x'.repeat(2 * 2 ** 20)}`);
  });
  await assert.rejects(eventsOf(originAt(server.url)), { code: 'unintelligible' });
});

test('an origin that is idle for too long, before its head or after it, is unavailable', async () => {
  const late = { code: 'unavailable', isLate: true };
  await using silent = await serving(() => undefined);
  await using idle = await serving((_, response) => {
    response.writeHead(200, asStream).write(':\n\n');
  });
  const headMs = { fetchLimits: { ...patient, headMs: 20 } };
  await assert.rejects(eventsOf(originAt(silent.url, headMs)), late);
  const totalMs = { fetchLimits: { ...patient, totalMs: 20 } };
  await assert.rejects(tickersOf(originAt(silent.url, totalMs)), late);
  const idleMs = { fetchLimits: { ...patient, idleMs: 20 } };
  await assert.rejects(eventsOf(originAt(idle.url, idleMs)), late);
});

test('a connection that breaks is unavailable, and names the code of the system', async () => {
  await using server = await serving((_, response) => {
    response.writeHead(200, asStream).write(':\n\n', () => response.destroy());
  });
  await assert.rejects(eventsOf(originAt(server.url)), { code: 'unavailable' });
  const closed = await serving(() => undefined);
  await closed[Symbol.asyncDispose]();
  const nobody = { code: 'unavailable', systemCode: 'ECONNREFUSED' };
  await assert.rejects(tickersOf(originAt(closed.url)), nobody);
});

test('an address to which a key may not be sent is refused', async () => {
  const refused = { code: 'refused', message: /Use https:\/\// };
  await assert.rejects(tickersOf(originAt('http://precios.example')), refused);
});

test('the cause of a fault is the error of the client, which knows whether to try again', async () => {
  await using server = await serving((_, response) => void response.writeHead(503).end());
  await assert.rejects(tickersOf(originAt(server.url)), caused(PizarraHttpError));
  await assert.rejects(tickersOf(originAt('http://127.0.0.1:1')), caused(PizarraConnectionError));
});

test('an origin of an unknown authority is read with its certificate, and is untrusted without', async (t) => {
  const certificate = makeCertificate();
  if (certificate === undefined) {
    t.skip('openssl is not installed');
    return;
  }
  await using server = await SourceServer.start(certificate);
  server.respond = (_, response) => {
    response.writeHead(200, asStream).end('event: barra\ndata: {}\n\n');
  };
  const untrusted = { code: 'untrusted', message: /; name the file of its authority as ca$/ };
  await assert.rejects(eventsOf(originAt(server.url)), untrusted);
  const trusting = originAt(server.url, { network: { ca: certificate.cert } });
  assert.deepEqual(await eventsOf(trusting), [{ type: 'barra', data: {} }]);
});

test('without a limit, and while requests remain, the next one does not wait', () => {
  assert.equal(restMs(undefined), 0);
  const limit = { name: 'free', quota: 20, windowSeconds: 20, resetSeconds: 8 };
  assert.equal(restMs({ ...limit, remaining: 12 }), 0);
  assert.equal(restMs({ ...limit, remaining: 3 }), 0);
  assert.equal(restMs({ ...limit, remaining: 2 }), 8_000);
  assert.equal(restMs({ ...limit, remaining: 0, resetSeconds: 3_600 }), 60_000);
});
