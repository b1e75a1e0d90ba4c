import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';

import { defaultHttpLimits } from '../../../src/http/http-limits.ts';
import { assertError } from '../../support/http/contract.ts';
import { parseAnswer } from '../../support/http/raw-http.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { within } from '../../support/wait.ts';

// The same limits as in production, but short enough for a test to wait for.
const server = await startTestServer({
  limits: {
    headersTimeoutMs: 150,
    requestTimeoutMs: 300,
    keepAliveTimeoutMs: 150,
    timeoutCheckMs: 20,
  },
});
after(() => server[Symbol.asyncDispose]());

/** Collects the bytes that the server sends until it closes the connection. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // What is sent to a connection that the server has closed fails.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  await within('the connection closes', closed);
  return text;
}

function assertTooSlow(text: string): void {
  const answer = parseAnswer(text);
  assert.equal(answer.status, 408);
  assertError({ ...answer, header: (name) => answer.headers.get(name) });
}

function open(): Socket {
  return connect({ port: server.port, host: '127.0.0.1' });
}

test('a connection on which nothing arrives is closed', async () => {
  assertTooSlow(await untilClosed(open()));
});

test('a connection on which headers arrive too slowly is closed', async () => {
  const socket = open();
  socket.write('GET /healthz HTTP/1.1\r\n');
  // It sends after it has read: a write that fails would close the connection before the response is read.
  const drip = setInterval(() => setImmediate(() => socket.write('X: y\r\n')), 20);
  socket.once('data', () => clearInterval(drip));
  const text = await untilClosed(socket).finally(() => clearInterval(drip));
  assertTooSlow(text);
});

test('a connection on which an announced body does not arrive is closed', async () => {
  const socket = open();
  socket.write('POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
  const text = await untilClosed(socket);
  assert.equal(parseAnswer(text).status, 401);
});

test('an idle connection is closed after its last response', async () => {
  const socket = open();
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const text = await untilClosed(socket);
  assert.equal(parseAnswer(text).status, 200);
});

test('the default limits close a silent, a slow and an idle connection within 6, 11 and 31 s', () => {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, timeoutCheckMs } =
    defaultHttpLimits;
  assert.ok(headersTimeoutMs + timeoutCheckMs < 6_000);
  assert.ok(requestTimeoutMs + timeoutCheckMs < 11_000);
  assert.ok(keepAliveTimeoutMs + timeoutCheckMs < 31_000);
});
