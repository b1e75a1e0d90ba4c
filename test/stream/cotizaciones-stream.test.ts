import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { StreamLimits } from '../../src/http/stream/stream-limits.ts';
import { quoteJson } from '../../src/contract/rows/quote.ts';
import { assertSchemaOf } from '../support/http/contract.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { sampleQuote } from '../support/market/sample-market.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { until } from '../support/wait.ts';

/** Contract 4.4.1: the stream of quotes, over real sockets. */

const path = '/cotizaciones/stream';

function start(streamLimits: Partial<StreamLimits> = {}): Promise<TestServer> {
  return startTestServer({ streamLimits: { sweepMs: 20, ...streamLimits } });
}

function open(
  server: TestServer,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  return openStream(`http://127.0.0.1:${server.port}${path}?${query}`, {
    authorization: `Bearer ${server.key}`,
    ...headers,
  });
}

const ids = ({ events }: EventStream): number[] => events.map(({ id }) => Number(id));

test('contract 4.4.1: a stream starts with the current quotes of the selection, equal to those of /cotizaciones', async () => {
  await using server = await start();
  using stream = await open(server, 'especie=BTC,ggal&panel=BON');
  await stream.until(({ events }) => events.length === 4);
  const answer = await server.get('/cotizaciones?especie=BTC,ggal&panel=BON');
  const sent = stream.events.map(({ data }) => data).toSorted();
  assert.deepEqual(
    sent.map((data): unknown => JSON.parse(data)),
    (answer.json() as unknown[]).toSorted((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    ),
  );
  assert.ok(stream.events.every(({ event }) => event === 'cotizacion'));
  for (const data of sent) assertSchemaOf('Cotizacion', JSON.parse(data));
});

test('contract 4.4.1: the headers are those of an event stream that is private to a client, and a retry time is sent', async () => {
  await using server = await start();
  using stream = await open(server, 'especie=GGAL');
  await stream.until(({ events }) => events.length === 1);
  assert.equal(stream.status, 200);
  assert.equal(stream.header('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(stream.header('cache-control'), 'private, no-cache');
  assert.equal(stream.header('x-content-type-options'), 'nosniff');
  assert.equal(stream.retries.length, 1);
});

test('contract 4.4.1: a stream sends each change of a selected quote, and no other quote', async () => {
  await using server = await start();
  using stream = await open(server, 'especie=GGAL');
  await stream.until(({ events }) => events.length === 1);
  const change = sampleQuote('GGAL', 102, 7500);
  server.board.adopt([sampleQuote('AL30', 101, 5), change, sampleQuote('YPFD', 103, 6)]);
  await stream.until(({ events }) => events.length === 2);
  assert.deepEqual(stream.events[1], { event: 'cotizacion', id: '102', data: quoteJson(change) });
});

test('contract 4.4.1: an instrument without a quote is named, and streamed from its first quote on', async () => {
  await using server = await start();
  using stream = await open(server, 'especie=NUEVA,NOEXISTE');
  assert.equal(stream.header('missing-especies'), 'NUEVA,NOEXISTE');
  server.board.adopt([sampleQuote('NUEVA', 50, 10)]);
  await stream.until(({ events }) => events.length === 1);
  assert.deepEqual(ids(stream), [50]);
});

test('contract 4.4.1: the ids of a stream only increase, in any order of the selection', async () => {
  await using server = await start();
  using stream = await open(server, 'especie=BTC,GGAL,YPFD&panel=IND');
  await stream.until(({ events }) => events.length === 9);
  server.board.adopt([sampleQuote('BTC', 101, 5), sampleQuote('GGAL', 102, 5)]);
  await stream.until(({ events }) => events.length === 11);
  assert.deepEqual(
    ids(stream),
    ids(stream).toSorted((a, b) => a - b),
  );
});

test('contract 4.4.1: with Last-Event-ID, a stream starts with only the newer quotes', async () => {
  await using server = await start();
  server.board.adopt([
    sampleQuote('GGAL', 101, 5),
    sampleQuote('AL30', 102, 6),
    sampleQuote('YPFD', 103, 7),
  ]);
  using stream = await open(server, 'especie=GGAL,AL30,YPFD,BTC', { 'last-event-id': '101' });
  await stream.until(({ events }) => events.length === 2);
  server.board.adopt([sampleQuote('BTC', 104, 8)]);
  await stream.until(({ events }) => events.length === 3);
  assert.deepEqual(ids(stream), [102, 103, 104]);
});

test('contract 4.4.1: a Last-Event-ID that the service did not send is ignored', async () => {
  await using server = await start();
  for (const id of ['999999', 'abc', '-1', '']) {
    using stream = await open(server, 'especie=GGAL,AL30', { 'last-event-id': id });
    await stream.until(({ events }) => events.length === 2);
  }
});

test('contract 4.4.1: an idle stream sends comments as a heartbeat', async () => {
  await using server = await start({ heartbeatMs: 30 });
  using stream = await open(server, 'especie=GGAL');
  await stream.until(({ comments }) => comments.length >= 2);
  assert.equal(stream.events.length, 1);
});

test('contract 4.4.1: with latido a client gets comments sooner than others, and never later', async () => {
  await using server = await start();
  using usual = await open(server, 'especie=GGAL');
  using board = await open(server, 'especie=GGAL&latido=2s');
  await board.until(({ comments }) => comments.length >= 1);
  assert.equal(usual.comments.length, 0);
  await using frequent = await start({ heartbeatMs: 30 });
  using patient = await open(frequent, 'especie=GGAL&latido=10s');
  await patient.until(({ comments }) => comments.length >= 2);
  const refused = await server.get(`${path}?especie=GGAL&latido=1s`);
  assert.equal(refused.status, 400);
  assert.match(refused.body, /«latido».*2s, 5s, 10s/);
});

test('contract 4.4.1: revoking a key ends its streams with the reason, and no others', async () => {
  await using server = await start();
  using other = await open(server, 'especie=GGAL');
  const key = await server.issue({});
  using stream = await open(server, 'especie=GGAL', { authorization: `Bearer ${key}` });
  await stream.until(({ events }) => events.length === 1);
  await server.revoke(key);
  await stream.ended();
  const last = stream.events.at(-1);
  assert.equal(last?.event, 'cierre');
  assert.match(last?.data ?? '', /"motivo":"clave"/);
  assertSchemaOf('CierreDeTransmision', JSON.parse(last?.data ?? ''));
  server.board.adopt([sampleQuote('GGAL', 101, 5)]);
  await other.until(({ events }) => events.length === 2);
});

test('contract 4.4.1: the number of streams of a key is limited, and a stream that ends frees its place', async () => {
  await using server = await start({ perKeyMax: 2 });
  using first = await open(server, 'especie=GGAL');
  const second = await open(server, 'especie=GGAL');
  const refused = await server.get(`${path}?especie=GGAL`);
  assert.equal(refused.status, 429);
  assert.equal(refused.header('retry-after'), '10');
  assert.match(refused.body, /ya tiene 2 transmisiones abiertas/);
  const another = await server.issue({});
  using _ = await open(server, 'especie=GGAL', { authorization: `Bearer ${another}` });
  second[Symbol.dispose]();
  using kept = await until('there is room for another stream', async () => {
    const third = await open(server, 'especie=GGAL');
    if (third.status === 200) return third;
    third[Symbol.dispose]();
    return undefined;
  });
  assert.deepEqual([first.status, kept.status], [200, 200]);
  const again = await server.get(`${path}?especie=GGAL`);
  assert.equal(again.status, 429, 'the stream that ended freed one place, not two');
});

test('contract 4.4.1: the number of all streams is limited', async () => {
  await using server = await start({ streamsMax: 1 });
  using _ = await open(server, 'especie=GGAL');
  const refused = await server.get(`${path}?especie=GGAL`);
  assert.equal(refused.status, 503);
  assert.equal(refused.header('retry-after'), '10');
});

test('contract 4.4.1: the parameters and the key are those of /cotizaciones', async () => {
  await using server = await start();
  assert.equal((await server.get(path)).status, 400);
  assert.equal((await server.get(`${path}?panel=GLOBAL`)).status, 400);
  assert.equal((await server.get(`${path}?panel=LID&campos=%zz`)).status, 400);
  assert.equal((await server.get(`${path}?panel=LID`, { authorization: null })).status, 401);
  const ingest = await server.issue({ scope: 'ingest' });
  const wrong = await server.get(`${path}?panel=LID`, { authorization: `Bearer ${ingest}` });
  assert.equal(wrong.status, 401);
  assert.equal((await server.get(`${path}?panel=LID`, { method: 'POST' })).status, 405);
});

test('contract 4.5.1: the response to HEAD has the headers of a stream and ends', async () => {
  await using server = await start();
  const answer = await server.get(`${path}?panel=LID`, { method: 'HEAD' });
  assert.equal(answer.status, 200);
  assert.equal(answer.header('missing-especies'), 'NUEVA');
  assert.equal(answer.header('content-length'), undefined, 'a stream has no content length');
  assert.equal(answer.body, '');
});

test('contract 7.1: draining ends streams with the reason and a retry time', async () => {
  await using server = await start();
  using first = await open(server, 'especie=GGAL');
  using second = await open(server, 'especie=GGAL');
  for (const stream of [first, second]) await stream.until(({ events }) => events.length === 1);
  server.server.drain();
  for (const stream of [first, second]) {
    await stream.ended();
    assert.match(stream.events.at(-1)?.data ?? '', /"motivo":"detencion"/);
  }
  assert.notEqual(first.retries.at(-1), second.retries.at(-1));
});

test('contract 7.1: the retry times of 100 streams that end are spread evenly from 2 to 7 s', async () => {
  await using server = await start({ perKeyMax: 100 });
  const streams = await Promise.all(
    Array.from({ length: 100 }, () => open(server, 'especie=GGAL')),
  );
  for (const stream of streams) await stream.until(({ retries }) => retries.length === 1);
  server.server.drain();
  for (const stream of streams) await stream.ended();
  const waits = streams.map(({ retries }) => retries.at(-1) ?? 0).toSorted((a, b) => a - b);
  for (const [place, ms] of waits.entries()) assert.equal(ms, 2_000 + 50 * place);
});

test('a stop does not wait for the clients of streams', async () => {
  const server = await start();
  using stream = await open(server, 'especie=GGAL');
  await stream.until(({ events }) => events.length === 1);
  await server[Symbol.asyncDispose]();
  await stream.ended();
});
