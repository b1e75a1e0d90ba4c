import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { assertError } from '../../support/http/contract.ts';
import { exchangeRaw, sendRaw, type RawAnswer } from '../../support/http/raw-http.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const target = '/cotizaciones?especie=GGAL';

/** Sends a request with `Connection: close`, so that the server closes the connection in any case. */
async function exchange(requestLine: string, headers: readonly string[] = []): Promise<RawAnswer> {
  const lines = [
    requestLine,
    `Authorization: Bearer ${server.key}`,
    'Connection: close',
    ...headers,
  ];
  const answer = await exchangeRaw(server.port, `${lines.join('\r\n')}\r\n\r\n`);
  if (answer.status >= 400) {
    assertError({ ...answer, header: (name) => answer.headers.get(name) });
  }
  return answer;
}

/** Sends bytes without `Connection: close`, and fails unless the server closes the connection. */
async function refused(bytes: string | Uint8Array): Promise<RawAnswer> {
  const answer = await exchangeRaw(server.port, bytes);
  assertError({ ...answer, header: (name) => answer.headers.get(name) });
  assert.equal(answer.headers.get('connection'), 'close');
  return answer;
}

/** A request line of `bytes` bytes, including its line ending. */
function lineOf(bytes: number): string {
  const rest = `GET ${target}&x= HTTP/1.1\r\n`.length;
  return `GET ${target}&x=${'y'.repeat(bytes - rest)} HTTP/1.1`;
}

const ownHead = (): string => `Host: x\r\nAuthorization: Bearer ${server.key}\r\n`;

test('contract 4.5.2: a request line of 16 KiB is accepted, and one byte more gets 414', async () => {
  assert.equal((await exchange(lineOf(16_384), ['Host: x'])).status, 200);
  const answer = await exchange(lineOf(16_385), ['Host: x']);
  assert.equal(answer.status, 414);
  assert.match(answer.body, /16384 bytes/);
});

test('contract 4.5.2: a very long request line gets 414 before it is read to its end', async () => {
  for (const length of [40_000, 1_000_000]) {
    const answer = await refused(`GET /${'y'.repeat(length)} HTTP/1.1\r\n${ownHead()}\r\n`);
    assert.equal(answer.status, 414);
  }
});

test('contract 4.5.2: headers over the limit get 431, in one piece or in many', async () => {
  const big = await refused(
    `GET ${target} HTTP/1.1\r\n${ownHead()}X: ${'y'.repeat(40_000)}\r\n\r\n`,
  );
  assert.equal(big.status, 431);
  const many = 'X-Many: yyyy\r\n'.repeat(4_000);
  assert.equal((await refused(`GET ${target} HTTP/1.1\r\n${ownHead()}${many}\r\n`)).status, 431);
});

test('headers within the limit are all read, however many there are', async () => {
  const many = Array.from({ length: 3_000 }, () => 'a:b');
  assert.equal((await exchange(`GET ${target} HTTP/1.1`, ['Host: x', ...many])).status, 200);
  assert.equal(
    (await exchange(`GET ${target} HTTP/1.1`, ['Host: x', ...many, 'Host: x'])).status,
    400,
  );
});

test('contract 4.5.2, RFC 9112 3.2: a request with no Host or two gets 400, and the connection is closed', async () => {
  const noHost = `GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
  assert.equal((await refused(noHost)).status, 400);
  assert.equal(
    (await refused(`GET ${target} HTTP/1.1\r\n${ownHead()}Host: x\r\n\r\n`)).status,
    400,
  );
  assert.equal(
    (await refused(`GET ${target} HTTP/1.1\r\n${ownHead()}hOST: y\r\n\r\n`)).status,
    400,
  );
});

test('a request of HTTP/1.0 needs no Host', async () => {
  assert.equal((await exchange(`GET ${target} HTTP/1.0`)).status, 200);
});

test('contract 4.5.2: a GET or HEAD with a body gets 400, the connection is closed, and the body is not read as a request', async () => {
  const smuggled = `GET /nada HTTP/1.1\r\n${ownHead()}\r\n`;
  const bodies = [
    `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  ];
  for (const method of ['GET', 'HEAD']) {
    for (const body of bodies) {
      const text = await sendRaw(
        server.port,
        `${method} ${target} HTTP/1.1\r\n${ownHead()}${body}`,
      );
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400']);
      assert.match(text, /connection: close/i);
    }
  }
  assert.equal(
    (await exchange(`GET ${target} HTTP/1.1`, ['Host: x', 'Content-Length: 0'])).status,
    200,
  );
});

test('contract 4.5.2: patterns of request smuggling are refused, and the connection is closed', async () => {
  const patterns = [
    'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc',
    'Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'Content-Length: +3\r\n\r\nabc',
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: xchunked\r\n\r\n',
    'X: a\r\n b\r\n\r\n',
    'X: a\0b\r\n\r\n',
    'X: a\rb\r\n\r\n',
  ];
  for (const pattern of patterns) {
    const text = await sendRaw(server.port, `GET ${target} HTTP/1.1\r\n${ownHead()}${pattern}`);
    const statuses = text.match(/HTTP\/1\.1 \d+/g);
    assert.deepEqual(statuses, ['HTTP/1.1 400'], JSON.stringify(pattern));
  }
});

test('contract 4.5.2: bytes that are not HTTP get 400, and the connection is closed', async () => {
  for (const bytes of [
    'hello\r\n\r\n',
    '\u0016\u0003\u0001\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]) {
    assert.equal((await refused(bytes)).status, 400);
  }
});

test('contract 4.5.1: TRACE and methods of other protocols get 405', async () => {
  for (const method of ['TRACE', 'SUBSCRIBE', 'M-SEARCH']) {
    const answer = await exchange(`${method} ${target} HTTP/1.1`, ['Host: x']);
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  }
});

test('contract 4.5.1: CONNECT gets 405 and opens no tunnel', async () => {
  const answer = await refused(`CONNECT example.com:443 HTTP/1.1\r\n${ownHead()}\r\n`);
  assert.equal(answer.status, 405);
});

test('a request for a protocol upgrade gets the same response as one without it', async () => {
  const upgrade = ['Host: x', 'Upgrade: websocket'];
  assert.equal((await exchange(`GET ${target} HTTP/1.1`, upgrade)).status, 200);
});

test('contract 4.5.1: OPTIONS * gets 405 with the methods of the service in Allow', async () => {
  const answer = await exchange('OPTIONS * HTTP/1.1', ['Host: x']);
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  assert.equal((await exchange('GET * HTTP/1.1', ['Host: x'])).status, 404);
});

test('an Expect header does not change the response', async () => {
  for (const expectation of ['100-continue', 'something-else']) {
    const headers = ['Host: x', `Expect: ${expectation}`];
    assert.equal((await exchange(`GET ${target} HTTP/1.1`, headers)).status, 200);
  }
});

test('RFC 9112 3.2.2: the absolute form is accepted, and its authority is ignored', async () => {
  for (const authority of ['http://evil.example', 'https://user@evil.example:99', 'HTTP://[::1]']) {
    const answer = await exchange(`GET ${authority}${target} HTTP/1.1`, ['Host: x']);
    assert.equal(answer.status, 200, authority);
    assert.match(answer.body, /"GGAL"/);
  }
  assert.equal((await exchange('GET http://x?especie=GGAL HTTP/1.1', ['Host: x'])).status, 404);
});

test('a target with bytes that are not percent-encoded gets 400', async () => {
  const bytes = `GET /cotizaciones?especie=ÑU HTTP/1.1\r\n${ownHead()}\r\n`;
  assert.equal((await refused(bytes)).status, 400);
});
