import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import type { PushReport } from '../../src/domain/quotes/push-report.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { ratioFreeBytes } from '../../src/http/private/updates.ts';
import { refusalsListedMax } from '../../src/pipeline/live/push-updates.ts';
import type { QuoteStore } from '../../src/store/contract/quote-store.ts';
import { StoreFault } from '../../src/store/contract/store-fault.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import {
  startPrivateServer,
  type TestPrivateServer,
} from '../support/http/start-private-server.ts';
import { deferred, once } from '../support/wait.ts';
import { openTestStore } from '../support/program/test-store.ts';
import { fieldsIn } from '../support/fields-in.ts';

/** `POST /updates`, over real sockets and with a real store. */

interface Answer extends PushReport {
  readonly error?: string;
}

const startOfSession = Date.parse('2026-11-20T14:00:00Z');

/** Updates of a session, one each second, for the tickers in turn. */
function updates(count: number, tickers: readonly string[] = ['GGAL', 'AL30', 'YPFD']): object[] {
  return Array.from({ length: count }, (_, index) => ({
    ticker: tickers[index % tickers.length],
    at: new Date(startOfSession + index).toISOString(),
    last: 100 + index,
  }));
}

const ndjson = (values: readonly object[]): string =>
  values.map((one) => `${JSON.stringify(one)}\n`).join('');

const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer;

const nothingRefused = {
  held: 0,
  repeatedSession: 0,
  refused: 0,
  booksRefused: 0,
  rangesRefused: 0,
  refusals: [],
  refusalsOmitted: 0,
};

function lastOf(server: TestPrivateServer, ticker: string): number | undefined {
  return server.board.quote(sampleUniverse.get(ticker as Ticker))?.last;
}

test('NDJSON and a JSON array get the same report of accepted, unchanged, earlier-session and off-hours updates', async () => {
  const day = 86_400_000;
  const [one, two] = updates(2) as [object, object];
  const earlier = { ...one, at: new Date(startOfSession - day).toISOString() };
  const beforeTheOpen = { ...one, at: '2026-11-20T13:29:59Z' };
  const values = [one, two, one, earlier, beforeTheOpen];
  for (const body of [ndjson(values), JSON.stringify(values)]) {
    await using server = await startPrivateServer();
    const response = await server.push(body);
    assert.equal(response.status, 200);
    assert.deepEqual(await answerOf(response), {
      received: 5,
      accepted: 2,
      unchanged: 1,
      earlierSession: 1,
      offHours: 1,
      noPriceYet: 0,
      superseded: 0,
      ...nothingRefused,
    });
    assert.equal(lastOf(server, 'AL30'), 101);
  }
});

test('each refused line is reported with its reason, and does not affect the other lines', async () => {
  await using server = await startPrivateServer();
  const at = '2026-11-20T14:00:00Z';
  const body = [
    { ticker: 'GGAL', at, last: 1 },
    { ticker: 'NADA', at, last: 1 },
    { ticker: 'AL30', at, last: -1 },
    { ticker: 'AL30', at, lst: 1 },
    { ticker: 'AL30', at: '2026-11-20T20:01:01Z', last: 1 },
  ];
  const answer = await answerOf(await server.push(`${ndjson(body)}what\n`));
  assert.equal(answer.received, 6);
  assert.equal(answer.accepted, 1);
  assert.equal(answer.refused, 5);
  assert.deepEqual(
    answer.refusals.map(({ line, ticker, reason }) => ({ line, ticker, reason })),
    [
      { line: 2, ticker: 'NADA', reason: 'unknown-ticker' },
      { line: 3, ticker: 'AL30', reason: 'not-positive' },
      { line: 4, ticker: undefined, reason: 'unknown-field' },
      { line: 5, ticker: 'AL30', reason: 'in-future' },
      { line: 6, ticker: undefined, reason: 'not-json' },
    ],
  );
});

test('a pushed book is stored and shown beside its price, and what cannot be true of it is reported', async () => {
  await using server = await startPrivateServer();
  const at = '2026-11-20T14:00:00Z';
  const later = '2026-11-20T14:00:01Z';
  const values = [
    { ticker: 'AL30', at, bid: 90, trades: 1 },
    { ticker: 'AL30', at, last: 100, bid: 99, bidSize: 5, ask: null, amount: 500.5, trades: 5 },
    { ticker: 'AL30', at: later, ask: 101, askSize: 7 },
    { ticker: 'AL30', at: later, last: 102, trades: 5.5 },
    { ticker: 'AL30', at: later, bid: '99' },
  ];
  const answer = await answerOf(await server.push(ndjson(values)));
  const { received, accepted, refused, refusals, ...rest } = answer;
  assert.deepEqual([received, accepted, refused], [5, 3, 1]);
  const { noPriceYet, booksRefused } = rest as unknown as Record<string, number>;
  assert.deepEqual([noPriceYet, booksRefused], [1, 1]);
  assert.deepEqual(fieldsIn(refusals, 'line', 'reason'), ['4 book-not-whole', '5 not-a-number']);
  const { book } = server.board.quote(sampleUniverse.get('AL30' as Ticker)) ?? {};
  const shown = { at: Date.parse(later), bid: 99, bidSize: 5, ask: 101, askSize: 7, amount: 500.5 };
  assert.deepEqual(JSON.parse(JSON.stringify(book)), shown);
  await using other = await openTestStore(server.directory);
  const [stored] = await other.quotes.readAll();
  assert.deepEqual({ ...stored?.session.book }, shown);
});

test('when the response arrives, the accepted updates are in the store and on the board', async () => {
  await using server = await startPrivateServer();
  await server.push(ndjson(updates(3)));
  await using other = await openTestStore(server.directory);
  const stored = await other.quotes.readAll();
  const lasts = new Map(stored.map(({ ticker, session }) => [String(ticker), session.last]));
  const sent = new Map([
    ['GGAL', 100],
    ['AL30', 101],
    ['YPFD', 102],
  ]);
  assert.deepEqual(lasts, sent);
  assert.equal(lastOf(server, 'YPFD'), 102);
});

test('contract 2.6.5: the official close of a session is accepted at any time before the next open, and is durable', async () => {
  await using server = await startPrivateServer();
  const session = { ticker: 'GGAL', at: '2026-11-19T19:59:00Z', last: 100 };
  const close = { ticker: 'GGAL', at: '2026-11-20T11:00:00Z', close: 101.5 };
  const { accepted, refusals } = await answerOf(await server.push(ndjson([session, close])));
  assert.deepEqual([accepted, refusals], [2, []]);
  assert.equal(lastOf(server, 'GGAL'), 101.5);
  await using other = await openTestStore(server.directory);
  const [stored] = await other.quotes.readAll();
  assert.deepEqual([stored?.session.sessionDate, stored?.session.last], ['2026-11-19', 101.5]);
});

test('100,000 updates in one request are accepted', async () => {
  await using server = await startPrivateServer();
  const response = await server.push(ndjson(updates(100_000)));
  assert.deepEqual(await answerOf(response), {
    received: 100_000,
    accepted: 100_000,
    unchanged: 0,
    earlierSession: 0,
    offHours: 0,
    noPriceYet: 0,
    superseded: 0,
    ...nothingRefused,
  });
  assert.equal(lastOf(server, 'GGAL'), 100_099);
});

test('updates of a slow body are applied as they arrive, not when the body ends', async () => {
  await using server = await startPrivateServer();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const pushing = server.push(readable);
  const { promise: shown, resolve } = deferred<void>();
  using _ = server.board.subscribe(() => resolve());
  await writer.write(Buffer.from(ndjson(updates(1))));
  await shown;
  await writer.write(Buffer.from(ndjson(updates(2))));
  await writer.close();
  const { received, accepted, unchanged } = await answerOf(await pushing);
  assert.deepEqual({ received, accepted, unchanged }, { received: 3, accepted: 2, unchanged: 1 });
});

test('refusals beyond the maximum of a report are only counted', async () => {
  await using server = await startPrivateServer();
  const answer = await answerOf(await server.push(ndjson(updates(250, ['N'.repeat(2_000)]))));
  assert.equal(answer.refused, 250);
  assert.equal(answer.refusals.length, refusalsListedMax);
  assert.equal(answer.refusalsOmitted, 150);
  assert.equal(answer.refusals[0]?.ticker, 'N'.repeat(60));
});

test('a body may be gzip; a body that is not gzip as announced gets 400 with the report of the lines read', async () => {
  await using server = await startPrivateServer();
  const headers = { 'content-encoding': 'gzip' };
  const whole = gzipSync(ndjson(updates(20_000)));
  const response = await server.push(whole, headers);
  assert.equal(response.status, 200);
  assert.equal((await answerOf(response)).accepted, 20_000);

  const cut = await server.push(whole.subarray(0, whole.length / 2), headers);
  assert.equal(cut.status, 400);
  const { received, unchanged, accepted, refused, error } = await answerOf(cut);
  assert.equal(received, unchanged + accepted + refused);
  assert.ok(received > 1_000 && received < 20_000);
  assert.match(error ?? '', /gzip/);

  assert.equal((await server.push('no gzip', headers)).status, 400);
  const brotli = await server.push('x', { 'content-encoding': 'br' });
  assert.equal(brotli.status, 415);
  assert.equal(brotli.headers.get('accept-encoding'), 'gzip, identity');
});

test('a push has the same effect in one piece of bytes and in several, plain and compressed, on one connection', async () => {
  for (const coding of ['', 'content-encoding: gzip\r\n']) {
    await using server = await startPrivateServer();
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    const send = async (count: number, cut: number): Promise<string> => {
      const text = ndjson(updates(count));
      const body = coding === '' ? Buffer.from(text) : gzipSync(text);
      const lines =
        `POST /updates HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.keys.ingest}\r\n` +
        `${coding}content-length: ${body.length}\r\n\r\n`;
      const bytes = Buffer.concat([Buffer.from(lines), body]);
      socket.write(bytes.subarray(0, cut));
      if (cut < bytes.length) {
        await new Promise(setImmediate);
        socket.write(bytes.subarray(cut));
      }
      const [answer] = (await once(socket, 'data')) as [string];
      return answer;
    };
    const whole = Number.POSITIVE_INFINITY;
    assert.match(await send(3, whole), /^HTTP\/1\.1 200 [^]*"accepted":3,"unchanged":0,/);
    assert.match(await send(4, whole), /^HTTP\/1\.1 200 [^]*"accepted":1,"unchanged":3,/);
    // From here on, the connection belongs to Node's server.
    assert.match(await send(5, 60), /^HTTP\/1\.1 200 [^]*"accepted":1,"unchanged":4,/);
    assert.match(await send(6, whole), /^HTTP\/1\.1 200 [^]*"accepted":1,"unchanged":5,/);
    assert.equal(lastOf(server, 'YPFD'), 105);
    socket.destroy();
  }
});

test('a request that arrives while the updates before it are stored is answered after them', async () => {
  const { promise: released, resolve: release } = deferred<void>();
  const { promise: begun, resolve: begin } = deferred<void>();
  const wrapQuotes = (quotes: QuoteStore): QuoteStore => ({
    readAll: () => quotes.readAll(),
    readNewer: (version) => quotes.readNewer(version),
    commit: async (commit) => {
      begin();
      await released;
      return quotes.commit(commit);
    },
  });
  await using server = await startPrivateServer({ wrapQuotes });
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  let received = '';
  const { promise: answered, resolve } = deferred<void>();
  socket.on('data', (text: string) => {
    received += text;
    if (received.includes('"accepted":1,"unchanged":3')) resolve();
  });
  const send = (count: number): void => {
    const body = ndjson(updates(count));
    socket.write(
      `POST /updates HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.keys.ingest}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
  };
  send(3);
  await begun;
  send(4);
  // The listener has received the second push when it has answered on another connection.
  await fetch(`${server.url}/readyz`);
  assert.equal(received, '');
  release();
  await answered;
  assert.match(received, /"accepted":3,"unchanged":0[^]*"accepted":1,"unchanged":3/);
  socket.destroy();
});

test('a body whose Content-Length is over the limit gets 413, and none of its updates is applied', async () => {
  await using server = await startPrivateServer({ updatesBodyBytesMax: 1_000 });
  const response = await server.push(ndjson(updates(100)));
  assert.equal(response.status, 413);
  assert.equal((await answerOf(response)).received, 0);
  assert.equal(lastOf(server, 'GGAL'), undefined);
});

test('a body that exceeds the limit while it is read gets 413 with the exact number of durable updates', async () => {
  await using server = await startPrivateServer({ updatesBodyBytesMax: 1_000_000 });
  const bomb = gzipSync(ndjson(updates(100_000)));
  const response = await server.push(bomb, { 'content-encoding': 'gzip' });
  assert.equal(response.status, 413);
  const { received, accepted, refused } = await answerOf(response);
  assert.equal(accepted, received);
  assert.equal(refused, 0);
  assert.ok(received > 10_000 && received < 20_000, `${received}`);
  // The price of each update is its own number.
  const shown = ['GGAL', 'AL30', 'YPFD'].map((ticker) => lastOf(server, ticker) ?? 0);
  assert.equal(Math.max(...shown), 100 + accepted - 1);
});

test('a gzip body that expands beyond the limit gets 413 while it is read, with the number of durable updates', async () => {
  await using server = await startPrivateServer();
  const headers = { 'content-encoding': 'gzip' };
  const start = ndjson(updates(3));
  for (const filler of ['\n', ' ', '{}\n', '1\n']) {
    const bomb = gzipSync(start + filler.repeat(4 * ratioFreeBytes));
    const response = await server.push(bomb, headers);
    assert.equal(response.status, 413);
    const { accepted, unchanged, earlierSession, received, error } = await answerOf(response);
    assert.match(error ?? '', /more than 100 times its compressed size/);
    assert.equal(accepted + unchanged + earlierSession, 3);
    assert.ok(received < 3 * ratioFreeBytes, `${received} lines were read`);
  }
  assert.equal(lastOf(server, 'YPFD'), 102);
});

test('a small body may have any compression ratio, and a long one of real updates is accepted', async () => {
  await using server = await startPrivateServer();
  const headers = { 'content-encoding': 'gzip' };
  const blank = gzipSync(ndjson(updates(1)) + '\n'.repeat(ratioFreeBytes / 2));
  assert.equal((await server.push(blank, headers)).status, 200);
  // One instrument whose price never changes, which gives the highest compression ratio of updates.
  const idle = updates(20_000, ['GGAL']).map((one) => ({ ...one, last: 100 }));
  const response = await server.push(gzipSync(ndjson(idle), { level: 9 }), headers);
  assert.equal(response.status, 200);
  assert.equal((await answerOf(response)).received, 20_000);
});

test('a store fault gets 503 with Retry-After, and sending the updates again succeeds', async () => {
  let isFailing = true;
  const wrapQuotes = (quotes: QuoteStore): QuoteStore => ({
    readAll: () => quotes.readAll(),
    readNewer: (version) => quotes.readNewer(version),
    commit: (commit) =>
      isFailing
        ? Promise.reject(new StoreFault('unavailable', 'disk full'))
        : quotes.commit(commit),
  });
  await using server = await startPrivateServer({ wrapQuotes });
  const body = ndjson(updates(3));
  const response = await server.push(body);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '1');
  const { accepted, received, error } = await answerOf(response);
  assert.deepEqual({ accepted, received }, { accepted: 0, received: 3 });
  assert.match(error ?? '', /Send the whole body again/);
  assert.doesNotMatch(error ?? '', /disk/);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 503);

  isFailing = false;
  const again = await server.push(body);
  assert.equal(again.status, 200);
  const { accepted: nowAccepted, unchanged } = await answerOf(again);
  assert.equal(nowAccepted + unchanged, 3);
  assert.equal(lastOf(server, 'AL30'), 101);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});

test('when a source disconnects within its body, complete lines are stored and other sources continue', async () => {
  await using server = await startPrivateServer();
  const { promise: shown, resolve } = deferred<void>();
  using _ = server.board.subscribe(() => resolve());
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /updates HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.keys.ingest}\r\n` +
      `content-length: 9999\r\n\r\n${ndjson(updates(2))}`,
  );
  await shown;
  socket.destroy();
  assert.equal(lastOf(server, 'AL30'), 101);
  assert.equal((await answerOf(await server.push(ndjson(updates(3))))).accepted, 1);
});

test('an empty body is accepted', async () => {
  await using server = await startPrivateServer();
  for (const body of ['', '[]', '\n\n']) {
    const response = await server.push(body);
    assert.equal(response.status, 200);
    assert.equal((await answerOf(response)).received, 0);
  }
});
