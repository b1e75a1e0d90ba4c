import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';

import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import { parseAnswer } from '../support/http/raw-http.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { once, until } from '../support/wait.ts';

/** Records which connections were refused or closed, in order. */
function recordingObserver(): {
  readonly seen: string[];
  readonly connectionObserver: {
    connectionRefused(reason: string): void;
    readerCut(): void;
  };
} {
  const seen: string[] = [];
  const connectionObserver = {
    connectionRefused: (reason: string) => void seen.push(reason),
    readerCut: () => void seen.push('cut'),
  };
  return { seen, connectionObserver };
}

/** Opens an idle connection. */
async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  return socket;
}

/** Waits for the end of a connection, with or without an error. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

/** Whether a request on a new connection gets a response. */
async function isServed(port: number): Promise<boolean> {
  const socket = await open(port);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await closing(socket);
  return parseAnswer(text).status === 200;
}

test('the number of connections of an address is limited, and a closed connection frees its place', async () => {
  const { seen, connectionObserver } = recordingObserver();
  await using server = await startTestServer({
    transport: { connectionObserver },
    limits: { connectionsPerAddressMax: 3 },
  });
  const held = await Promise.all([open(server.port), open(server.port), open(server.port)]);
  assert.equal(await isServed(server.port), false);
  assert.deepEqual(seen, ['address']);
  const [first] = held;
  first?.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await closing(first ?? assert.fail());
  await until('a new connection is served', () => isServed(server.port));
  for (const socket of held) socket.destroy();
});

test('connections of a named proxy do not count towards the limit of an address', async () => {
  await using server = await startTestServer({
    transport: { proxies: addressRanges(['127.0.0.1']) },
    limits: { connectionsPerAddressMax: 1 },
  });
  const held = await Promise.all([open(server.port), open(server.port), open(server.port)]);
  assert.equal(await isServed(server.port), true);
  for (const socket of held) socket.destroy();
});

test('the number of connections of all addresses is limited', async () => {
  const { seen, connectionObserver } = recordingObserver();
  await using server = await startTestServer({
    transport: { connectionObserver },
    limits: { connectionsMax: 2 },
  });
  const held = await Promise.all([open(server.port), open(server.port)]);
  assert.equal(await isServed(server.port), false);
  assert.deepEqual(seen, ['total']);
  for (const socket of held) socket.destroy();
});

test('the connection of a client that reads too slowly is closed, and other clients are served', async () => {
  const { seen, connectionObserver } = recordingObserver();
  await using server = await startTestServer({
    transport: { connectionObserver },
    limits: { responseTimeoutMs: 400 },
  });
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  // The responses exceed the socket buffers of any kernel.
  const request = `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`;
  socket.pause();
  const asking = setInterval(() => socket.write(request.repeat(200)), 20);
  const reading = setInterval(() => socket.read(1), 50);
  const closed = closing(socket);
  await until('the connection of the slow reader is closed', async () => {
    assert.equal(await isServed(server.port), true);
    return seen.length > 0;
  });
  clearInterval(asking);
  clearInterval(reading);
  assert.deepEqual(seen, ['cut']);
  socket.resume();
  await closed;
});
