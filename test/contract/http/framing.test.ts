import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { after, test } from 'node:test';

import { sendRaw } from '../../support/http/raw-http.ts';
import { startPrivateServer } from '../../support/http/start-private-server.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { writePieces } from '../../support/http/write-pieces.ts';
import { deferred, once } from '../../support/wait.ts';

/**
 * A request gets exactly one response, and no byte of a body is read as the next request (RFC 9112 6.1, 6.3, 9.2,
 * 9.3). test/conformance/messages.test.ts has the malformed bodies.
 */

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const chunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/** The status of each response until the server closes the connection. Fails without `Connection: close`. */
async function statuses(port: number, head: readonly string[], rest: string): Promise<string[]> {
  const text = await sendRaw(port, Buffer.from(`${head.join('\r\n')}\r\n${rest}`, 'latin1'));
  assert.match(text, /^connection: close\r$/im, text);
  return (text.match(/HTTP\/1\.1 \d{3}/g) ?? []).map((line) => line.slice(9));
}

/** The beginning of a request for a quote. */
function headOf(method: string, key: string): string {
  return `${method} /cotizaciones?especie=GGAL HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
}

test('contract 4.5.2: chunks without content are no body: the response is that of the key, and the next request is read', async () => {
  const last = `${headOf('GET', server.key)}Connection: close\r\n\r\n`;
  const empty = ['0\r\n\r\n', '0\r\nX: y\r\n\r\n'];
  for (const [method, key, expected] of [
    ['GET', server.key, '200'],
    ['HEAD', server.key, '200'],
    ['GET', 'x', '401'],
  ] as const) {
    for (const chunksOfNothing of empty) {
      const bytes = `${headOf(method, key)}Transfer-Encoding: chunked\r\n\r\n${chunksOfNothing}${last}`;
      for (const cuts of [[], [0.2], [0.5], [0.52], [0.54], [0.1, 0.9]]) {
        const socket = connect({ port: server.port, host: '127.0.0.1' });
        await once(socket, 'connect');
        await writePieces(socket, Buffer.from(bytes, 'latin1'), cuts);
        const answers = await textOf(socket);
        assert.deepEqual(
          (answers.match(/HTTP\/1\.1 \d{3}/g) ?? []).map((line) => line.slice(9)),
          [expected, '200'],
          `${method} ${cuts.join()}`,
        );
      }
    }
  }
});

test('a pushed body with another transfer coding, or in chunks over HTTP/1.0, gets one 400 after the check of the key', async () => {
  await using own = await startPrivateServer();
  const unknown = `Transfer-Encoding: foo\r\n\r\n${hidden}`;
  const chunked = `Transfer-Encoding: chunked\r\n\r\n${chunks}`;
  const broken = `Transfer-Encoding: chunked\r\n\r\nzz\r\n${hidden}`;
  const cases = [
    ['1.1', undefined, unknown, '401'],
    ['1.1', own.keys.read, unknown, '401'],
    ['1.1', own.keys.ingest, unknown, '400'],
    ['1.0', own.keys.ingest, chunked, '400'],
    ['1.1', own.keys.ingest, broken, '400'],
  ] as const;
  for (const [version, key, rest, status] of cases) {
    const keyLines = key === undefined ? [] : [`Authorization: Bearer ${key}`];
    const head = [`POST /updates HTTP/${version}`, 'Host: x', ...keyLines];
    assert.deepEqual(await statuses(own.port, head, rest), [status], rest);
  }
});

test('a push that is refused at once and then ends within its body gets no second response', async () => {
  await using own = await startPrivateServer();
  const rest = `Host: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n${hidden}`;
  const text = await sendRaw(own.port, `POST /updates HTTP/1.1\r\n${rest}`);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 401']);
});

for (const [what, bytes, status] of [
  ['bytes that are not a request', 'no request\r\n\r\n', '400'],
  ['CONNECT without a key', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', '401'],
] as const) {
  test(`the response to ${what} comes after that of an earlier request`, async () => {
    await using base = await startTestServer();
    const { history } = base.store;
    const asked = deferred<void>();
    const release = deferred<void>();
    await using slow = await startTestServer({
      history: {
        readSeries: async (...args: Parameters<typeof history.readSeries>) => {
          asked.resolve();
          await release.promise;
          return history.readSeries(...args);
        },
        readBars: history.readBars.bind(history),
        countCloses: history.countCloses.bind(history),
      },
    });
    const target = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${slow.key}\r\n\r\n`;
    const received = sendRaw(slow.port, head + bytes);
    await asked.promise;
    release.resolve();
    const found = (await received).match(/HTTP\/1\.1 \d{3}/g);
    assert.deepEqual(found, ['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
  });
}
