import assert from 'node:assert/strict';
import { test } from 'node:test';

import { comment, EventParser } from '../../clients/typescript/src/event-parser.ts';
import {
  PizarraClient,
  PizarraConnectionError,
  PizarraResponseError,
  type StreamEvent,
  type StreamOptions,
  type StreamState,
} from '../../clients/typescript/src/index.ts';
import { startLineProxy } from '../support/program/line-proxy.ts';
import { sampleQuote } from '../support/market/sample-market.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { deferred, until, within } from '../support/wait.ts';

/** The stream of the TypeScript client, over connections that fail. */

/** A stream that a test reads one event after the other. */
function reading(
  url: string,
  key: string,
  options: StreamOptions = {},
): AsyncDisposable & { readonly states: readonly StreamState[]; next(): Promise<StreamEvent> } {
  const states: StreamState[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const onState = (state: StreamState): void => void states.push(state);
  const client = new PizarraClient({ url, key });
  const stream = client.stream(
    { especie: ['GGAL', 'AL30', 'NOEXISTE'] },
    { signal, onState, waitMsMax: 20, ...options },
  );
  return {
    states,
    next: async () => {
      const { value } = await within('an event', stream.next());
      return value;
    },
    [Symbol.asyncDispose]: async () => {
      controller.abort();
      await stream.return(undefined as never).catch(() => undefined);
    },
  };
}

const textOf = (event: StreamEvent): string =>
  `${event.type === 'cotizacion' ? event.id : 'barra'} ${event.data.especie} ${event.data.ultimo}`;

test('a stream that is cut continues after the last quote: none is missed, none comes twice', async () => {
  await using server = await startTestServer();
  await using proxy = await startLineProxy(server.port);
  await using stream = reading(`http://127.0.0.1:${proxy.port}`, server.key);
  const first = [textOf(await stream.next()), textOf(await stream.next())];
  assert.deepEqual(
    first.map((one) => one.split(' ')[1]),
    ['GGAL', 'AL30'],
  );
  server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
  assert.equal(textOf(await stream.next()), '201 GGAL 7500');
  proxy.cut();
  // Both quotes change while there is no connection.
  server.board.adopt([sampleQuote('AL30', 202, 90_000), sampleQuote('GGAL', 203, 7501)]);
  assert.equal(textOf(await stream.next()), '202 AL30 90000');
  assert.equal(textOf(await stream.next()), '203 GGAL 7501');
  const [opened, lost, resumed] = stream.states;
  assert.ok(opened?.state === 'open' && !opened.isResumed);
  assert.deepEqual(opened.missing, ['NOEXISTE']);
  assert.ok(lost?.state === 'lost' && lost.ending === undefined);
  assert.ok(resumed?.state === 'open' && resumed.isResumed);
  assert.equal(proxy.connections, 2);
});

test('a connection without a byte for twice the heartbeat is dropped and resumed', async () => {
  await using server = await startTestServer({ streamLimits: { heartbeatMs: 20, sweepMs: 5 } });
  await using proxy = await startLineProxy(server.port);
  await using stream = reading(`http://127.0.0.1:${proxy.port}`, server.key, { heartbeatMs: 50 });
  await stream.next();
  await stream.next();
  const pending = stream.next();
  proxy.hold();
  server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
  assert.equal(textOf(await pending), '201 GGAL 7500');
  assert.ok(
    stream.states.some((one) => one.state === 'lost' && one.error?.name === 'PizarraTimeoutError'),
  );
});

test('before each connection the caller may choose where it continues, and how long to wait', async () => {
  await using server = await startTestServer();
  await using proxy = await startLineProxy(server.port);
  const [ids, waits, asked]: [string[], number[], unknown[]] = [[], [], []];
  const client = new PizarraClient({
    url: `http://127.0.0.1:${proxy.port}`,
    key: server.key,
    wait: async (ms) => void waits.push(ms),
  });
  const options: StreamOptions = {
    firstWaitMs: 100,
    fetch: (input, init) => {
      asked.push(new Headers(init?.headers).get('last-event-id'));
      return fetch(input, init);
    },
    continueAfter: (lastEventId) => {
      ids.push(lastEventId);
      return '';
    },
  };
  const received: StreamEvent[] = [];
  for await (const event of client.stream({ especie: 'GGAL' }, options)) {
    received.push(event);
    if (received.length === 1) proxy.cut();
    else break;
  }
  const [first, again] = received.map(textOf);
  assert.equal(again, first, 'all quotes are sent again');
  assert.deepEqual(ids, ['', received[0]?.type === 'cotizacion' ? received[0].id : 'no quote']);
  assert.deepEqual(asked, [null, null]);
  assert.ok(waits.length === 1 && Number(waits[0]) >= 100 && Number(waits[0]) < 500, waits.join());
});

test('a wake drops a connection that has been silent, and ends the wait for the next attempt', async (t) => {
  await using server = await startTestServer();
  await using proxy = await startLineProxy(server.port);
  const wake = new EventTarget();
  const lost = deferred<StreamState>();
  const states: string[] = [];
  const client = new PizarraClient({
    url: `http://127.0.0.1:${proxy.port}`,
    key: server.key,
    wake,
  });
  const stream = client.stream('GGAL', {
    // Without the wake, nothing would happen in the time of the test.
    heartbeatMs: 100_000,
    firstWaitMs: 100_000,
    waitMsMax: 100_000,
    onState: (state) => {
      states.push(state.state);
      if (state.state === 'lost') lost.resolve(state);
    },
  });
  await stream.next();
  const second = stream.next();
  wake.dispatchEvent(new Event('wake'));
  const now = performance.now();
  t.mock.method(performance, 'now', () => now + 150_000);
  wake.dispatchEvent(new Event('wake'));
  const state = await within('the drop', lost.promise);
  assert.ok(state.state === 'lost' && state.error?.name === 'PizarraTimeoutError');
  server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
  wake.dispatchEvent(new Event('wake'));
  assert.equal((await within('the second connection', second)).value.data.ultimo, 7500);
  // The first wake found a connection that was not silent.
  assert.deepEqual(states, ['open', 'lost', 'open']);
  await stream.return(undefined as never).catch(() => undefined);
});

test('heartbeats keep an idle stream open', async () => {
  await using server = await startTestServer({ streamLimits: { heartbeatMs: 20, sweepMs: 5 } });
  await using proxy = await startLineProxy(server.port);
  let heartbeats = 0;
  await using stream = reading(`http://127.0.0.1:${proxy.port}`, server.key, {
    heartbeatMs: 250,
    onHeartbeat: () => void (heartbeats += 1),
  });
  await stream.next();
  await stream.next();
  const pending = stream.next();
  // More than the 500 ms after which the client would drop the connection.
  const { pieces } = proxy;
  await until('thirty heartbeats', () => proxy.pieces >= pieces + 30);
  server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
  await pending;
  assert.equal(proxy.connections, 1);
  assert.ok(heartbeats >= 20, `${heartbeats} heartbeats`);
});

test('a stream that the service ends reports the reason, and continues at the service that follows', async () => {
  const first = await startTestServer();
  await using second = await startTestServer();
  second.board.adopt([sampleQuote('GGAL', 201, 7500)]);
  await using proxy = await startLineProxy(first.port);
  let { key } = first;
  const states: StreamState[] = [];
  const client = new PizarraClient({
    url: `http://127.0.0.1:${proxy.port}`,
    key: () => key,
    wait: async () => {},
  });
  const received: StreamEvent[] = [];
  for await (const event of client.stream(
    { especie: 'GGAL' },
    { waitMsMax: 10, onState: (state) => void states.push(state) },
  )) {
    received.push(event);
    if (received.length === 1) {
      proxy.moveTo(second.port);
      ({ key } = second);
      await first[Symbol.asyncDispose]();
    }
    if (received.length === 2) break;
  }
  assert.deepEqual(received.map(textOf).at(-1), '201 GGAL 7500');
  const lost = states.find(({ state }) => state === 'lost');
  assert.ok(lost?.state === 'lost');
  assert.equal(lost.ending?.motivo, 'detencion');
  assert.ok(lost.waitMs >= 2_000, 'the service says when to come back');
});

test('a revoked key ends the stream with the error of the key', async () => {
  await using server = await startTestServer({ streamLimits: { sweepMs: 5 } });
  const key = await server.issue({});
  await using stream = reading(`http://127.0.0.1:${server.port}`, key);
  await stream.next();
  await stream.next();
  await server.revoke(key);
  await assert.rejects(stream.next(), { name: 'PizarraHttpError', status: 401 });
});

test('a service that cannot be reached ends a stream that never opened, after attemptsMax', async () => {
  await using server = await startTestServer();
  const { port, key } = server;
  await server[Symbol.asyncDispose]();
  await using stream = reading(`http://127.0.0.1:${port}`, key, { attemptsMax: 2 });
  await assert.rejects(stream.next(), PizarraConnectionError);
  assert.equal(stream.states.length, 1);
});

test('an event is read from pieces of any size, and only whole events count', () => {
  const text =
    'retry: 1500\r\n\r\n: comment\nevent: cotizacion\nid: 7\ndata: {"a":1,\ndata: "b":"ñ"}\n\nid: 8\ndata: x';
  for (let size = 1; size <= text.length; size += 1) {
    const parser = new EventParser('');
    const events = [];
    for (let at = 0; at < text.length; at += size) {
      events.push(...parser.push(text.slice(at, at + size)));
    }
    assert.deepEqual(events, [
      { event: comment, data: '', lastId: '' },
      { event: 'cotizacion', data: '{"a":1,\n"b":"ñ"}', lastId: '7' },
    ]);
    assert.equal(parser.retryMs, 1500);
    assert.equal(parser.lastId, '7');
  }
});

test('an empty id resets the last id, and an event without an end is refused', () => {
  const parser = new EventParser('12');
  assert.equal(parser.push('data: a\n\n')[0]?.lastId, '12');
  assert.equal(parser.push('id:\nevent: cierre\ndata: {}\n\n')[0]?.lastId, '');
  assert.throws(() => {
    for (let at = 0; at < 3; at += 1) parser.push('x'.repeat(500_000));
  }, PizarraResponseError);
});
