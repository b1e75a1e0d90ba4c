import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';

import { assertWellFormed } from './assert-well-formed.ts';
import { startCarriers, type Carrier } from './carriers.ts';
import { ResponseReader, type Response } from '../support/http/response-reader.ts';

/** RFC 9112: the messages of HTTP/1.0 and 1.1, with and without TLS. */

const carriers = await startCarriers();
/** Servers with a short limit, which a busy machine may need for a handshake. So only one test uses them. */
const impatient = await startCarriers({ limits: { headersTimeoutMs: 1_000, timeoutCheckMs: 20 } });
after(async () => {
  await carriers[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
});

/** The tests write the messages themselves, so one carrier for each kind of connection is enough. */
const isOfKind = ({ name }: Carrier): boolean => /^HTTP\/1\.1(?: over TLS)?$/.test(name);
const connections = carriers.http1.filter(isOfKind);

const quotes = '/cotizaciones?especie=GGAL';
/** Bytes that a server could read as a second request. They must not get a response. */
const hidden = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const chunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/** The head of a request, without the empty line at its end. */
function head(
  carrier: Carrier,
  { line = `GET ${quotes} HTTP/1.1`, host = 'Host: x\r\n' }: { line?: string; host?: string } = {},
): string {
  return `${line}\r\n${host}Authorization: Bearer ${carrier.server.key}\r\n`;
}

/** Sends bytes, and returns the responses until the server closes the connection. */
async function exchange(
  carrier: Carrier,
  bytes: string,
  { responses = 1, method = 'GET', version = '1.1' } = {},
): Promise<readonly Response[]> {
  const socket = await carrier.open();
  using reader = new ResponseReader(socket, version);
  socket.write(bytes, 'latin1');
  const received: Response[] = [];
  while (received.length < responses) {
    const response = await reader.next(method);
    assertWellFormed(response, { method, carrier: { version, isTls: carrier.isTls } });
    received.push(response);
  }
  if (received.at(-1)?.closes === true) await reader.end();
  return received;
}

/** Fails unless bytes get one response with a status, and the connection is then closed. */
async function assertRefused(carrier: Carrier, bytes: string, status = 400): Promise<void> {
  const [response] = await exchange(carrier, bytes);
  const what = JSON.stringify(bytes.slice(0, 300));
  assert.equal(response?.status, status, what);
  assert.ok(response?.closes, `the connection stays open after ${what}`);
}

/** Continuations of a head that must be refused with 400, and the connection closed. */
const refusedRests: Readonly<Record<string, string>> = {
  'RFC 9112 5.1: a space before the colon': `X : y\r\n\r\n${hidden}`,
  'RFC 9112 5.1: a tab before the colon': `X\t: y\r\n\r\n${hidden}`,
  'RFC 9112 5.2: a folded line': `X: y\r\n z\r\n\r\n${hidden}`,
  'RFC 9112 5.2: a line folded with a tab': `X: y\r\n\tz\r\n\r\n${hidden}`,
  'RFC 9112 2.2: CR in a value': `X: y\rz\r\n\r\n${hidden}`,
  'RFC 9112 2.2: CR at the end of a value': `X: y\r\r\n\r\n${hidden}`,
  'RFC 9110 5.5: NUL in a value': `X: y\0z\r\n\r\n${hidden}`,
  'RFC 9110 5.5: a control character in a value': `X: y\u0001z\r\n\r\n${hidden}`,
  'RFC 9110 5.5: DEL in a value': `X: y\u007fz\r\n\r\n${hidden}`,
  'RFC 9112 2.2: CR before a name': `X: y\rTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  'RFC 9112 2.2: LF alone before a name': `X: y\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  'RFC 9112 2.2: lines that end with LF alone': `X: y\nY: z\n\n${hidden}`,
  'RFC 9110 5.1: NUL in a name': `X\0Y: z\r\n\r\n${hidden}`,
  'RFC 9110 5.1: a space in a name': `X Y: z\r\n\r\n${hidden}`,
  'RFC 9110 5.1: a bracket in a name': `X[Y]: z\r\n\r\n${hidden}`,
  'RFC 9110 5.1: a name that is not a token': `X(Y): z\r\n\r\n${hidden}`,
  'RFC 9110 5.1: a name with a byte beyond ASCII': `X\u00e9: z\r\n\r\n${hidden}`,
  'RFC 9112 5: an empty name': `: y\r\n\r\n${hidden}`,
  'RFC 9112 5: a line without a colon': `Xy\r\n\r\n${hidden}`,
  'RFC 9112 6.1: Content-Length and Transfer-Encoding': `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  'RFC 9112 6.1: Transfer-Encoding and Content-Length': `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunks}`,
  'RFC 9112 6.1: an unknown coding': `Transfer-Encoding: foo\r\n\r\n${hidden}`,
  'RFC 9112 6.1: the coding identity, which was removed': `Transfer-Encoding: identity\r\n\r\n${hidden}`,
  'RFC 9112 6.1: chunked twice': `Transfer-Encoding: chunked, chunked\r\n\r\n${chunks}`,
  'RFC 9112 6.3: chunked, and another coding after it': `Transfer-Encoding: chunked, gzip\r\n\r\n${chunks}`,
  'RFC 9112 6.3: chunked in one line, another coding in the next': `Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n${chunks}`,
  'RFC 9112 6.3: an empty coding': `Transfer-Encoding:\r\n\r\n${hidden}`,
  'RFC 9112 6.1: chunked in two lines': `Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  'RFC 9112 6.1: another coding before chunked': `Transfer-Encoding: gzip, chunked\r\n\r\n${chunks}`,
  'RFC 9112 6.1: a coding like chunked': `Transfer-Encoding: xchunked\r\n\r\n${chunks}`,
  'RFC 9112 6.1: a quoted coding': `Transfer-Encoding: "chunked"\r\n\r\n${chunks}`,
  'RFC 9112 6.1: a coding after a vertical tab': `Transfer-Encoding:\vchunked\r\n\r\n${chunks}`,
  'RFC 9112 6.1: a coding with NUL': `Transfer-Encoding: chunked\0\r\n\r\n${chunks}`,
  'RFC 9112 5.1: a space before the colon of a coding': `Transfer-Encoding : chunked\r\n\r\n${chunks}`,
  'RFC 9112 5.1: a tab before the colon of a length': `Content-Length\t: ${hidden.length}\r\n\r\n${hidden}`,
  'RFC 9112 5.2: a folded coding': `Transfer-Encoding:\r\n chunked\r\n\r\n${chunks}`,
  'RFC 9112 5.2: a folded length': `X: y\r\n Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'RFC 9112 5.2: a folded Host': `X: y\r\n Host: z\r\n\r\n${hidden}`,
  'RFC 9112 6.3: two lengths that agree': `Content-Length: ${hidden.length}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'RFC 9112 6.3: two lengths that differ': `Content-Length: 0\r\nContent-Length: 5\r\n\r\n${hidden}`,
  'RFC 9112 6.3: two lengths in one line': `Content-Length: 0, 5\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a signed length': `Content-Length: +0\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a negative length': `Content-Length: -1\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a hexadecimal length': `Content-Length: 0x0\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a length with a space inside': `Content-Length: 0 0\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a length with a fraction': `Content-Length: 1.0\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a length with an exponent': `Content-Length: 1e1\r\n\r\n${hidden}`,
  'RFC 9110 8.6: a length beyond 64 bits': `Content-Length: 18446744073709551616\r\n\r\n${hidden}`,
  'RFC 9110 8.6: an empty length': `Content-Length:\r\n\r\n${hidden}`,
  'RFC 9112 7.1: a chunk without a size': `Transfer-Encoding: chunked\r\n\r\nzz\r\n${hidden}`,
  'RFC 9112 7.1: a signed size': `Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n${hidden}`,
  'RFC 9112 7.1: a size with 0x': `Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n${hidden}`,
  'RFC 9112 7.1: a size beyond 64 bits': `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\nhello\r\n0\r\n\r\n${hidden}`,
  'RFC 9112 7.1: an extension that ends with LF': `Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n${hidden}`,
  'RFC 9112 7.1: a chunk that is longer than its size': `Transfer-Encoding: chunked\r\n\r\n1\r\n${hidden}`,
  'RFC 9112 7.1: a trailer with a length': `Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\n${hidden}`,
  'RFC 9112 7.1: a trailer that is no field': `Transfer-Encoding: chunked\r\n\r\n0\r\n\0\r\n${hidden}`,
  'contract 4.5.2: a body that is shorter than its length': `Content-Length: 5\r\n\r\n${hidden}`,
  'contract 4.5.2: a body with a length': `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'contract 4.5.2: a body in chunks': `Transfer-Encoding: chunked\r\n\r\n${chunks}`,
};

/** RFC 9112 3: request lines that must be refused with 400, and the connection closed. */
const refusedLines: Readonly<Record<string, string>> = {
  'RFC 9112 2.3: a version in lower case': `GET ${quotes} http/1.1`,
  'RFC 9112 2.3: an unsupported minor version': `GET ${quotes} HTTP/1.2`,
  'RFC 9112 2.3: a version of two digits': `GET ${quotes} HTTP/1.10`,
  'RFC 9112 2.3: a version without a minor one': `GET ${quotes} HTTP/1`,
  'RFC 9112 2.3: an unsupported major version': `GET ${quotes} HTTP/3.0`,
  'RFC 9112 2.3: HTTP/2 in the clear': `GET ${quotes} HTTP/2.0`,
  'RFC 9112 2.3: HTTP/0.9': `GET ${quotes} HTTP/0.9`,
  'RFC 9112 2.3: no version': `GET ${quotes}`,
  'RFC 9112 2.3: RTSP': `GET ${quotes} RTSP/1.0`,
  'RFC 9112 2.3: RTSP in a later version': `GET ${quotes} RTSP/2.0`,
  'RFC 9112 2.3: ICE': `GET ${quotes} ICE/1.0`,
  'RFC 9112 3: two targets': `GET ${quotes} /healthz HTTP/1.1`,
  'RFC 9112 3: tabs for spaces': `GET\t${quotes}\tHTTP/1.1`,
  'RFC 9112 3: a space before the method': ` GET ${quotes} HTTP/1.1`,
  'RFC 9112 3.2: NUL in the target': `GET ${quotes}\0 HTTP/1.1`,
  'RFC 9112 3.2: CR in the target': `GET ${quotes}\rX HTTP/1.1`,
  'RFC 9112 3.2: bytes beyond ASCII in the target': 'GET /cotizaciones?especie=\u00d1 HTTP/1.1',
  'RFC 9112 3.2: no target': 'GET  HTTP/1.1',
  'RFC 9112 3.2: a path without a slash': 'GET cotizaciones HTTP/1.1',
  'RFC 9112 3.2.3: the authority form of GET': 'GET example.com:443 HTTP/1.1',
  'RFC 9110 9.1: a method in lower case': `get ${quotes} HTTP/1.1`,
  'RFC 9110 9.1: an unknown method': `GETT ${quotes} HTTP/1.1`,
  'RFC 9113 3.4: the preface of HTTP/2': 'PRI * HTTP/2.0',
};

suite('RFC 9112: a malformed message gets one 400, and its connection is closed', () => {
  for (const carrier of connections) {
    for (const [what, rest] of Object.entries(refusedRests)) {
      test(`${carrier.name}, ${what}`, async () => {
        await assertRefused(carrier, `${head(carrier)}${rest}`);
        // Neither a method without a body nor a wrong key or path interprets the length of a body.
        for (const key of [carrier.server.key, 'x', undefined]) {
          const own = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
          for (const [line, version, refusals] of [
            [`POST ${quotes}`, '1.1', [400, 405]],
            ['PUT /nada', '1.0', [400, 404, 405]],
            ['GET /healthz', '1.1', [400]],
          ] as const) {
            const kept = version === '1.0' ? 'Connection: keep-alive\r\n' : '';
            const bytes = `${line} HTTP/${version}\r\nHost: x\r\n${own}${kept}${rest}`;
            const [response] = await exchange(carrier, bytes, { version });
            const expected: readonly number[] = key === carrier.server.key ? refusals : [400, 401];
            assert.ok(expected.includes(response?.status ?? 0), `${bytes}: ${response?.status}`);
            assert.ok(response?.closes, bytes);
          }
        }
      });
    }
    for (const [what, line] of Object.entries(refusedLines)) {
      test(`${carrier.name}, ${what}`, async () => {
        await assertRefused(carrier, `${head(carrier, { line })}\r\n${hidden}`);
      });
    }
  }
});

for (const carrier of connections) {
  test(`RFC 9110 7.2 and RFC 9112 3.2, ${carrier.name}: a request without Host, with two, or with one that is not an authority, gets 400`, async () => {
    for (const host of [
      '',
      'Host: x y\r\n',
      'Host: x/y\r\n',
      'Host: x,y\r\n',
      'Host: user@x\r\n',
      'Host: x:port\r\n',
      'Host: x:1:2\r\n',
      'Host: [::1\r\n',
      'Host: http://x\r\n',
      'Host: x?y\r\n',
      'Host: x#y\r\n',
      'Host: \u00f1\r\n',
      'Host: x\r\nHost: x\r\n',
      'Host: x\r\nhOST: y\r\n',
    ]) {
      await assertRefused(carrier, `${head(carrier, { host })}\r\n`);
    }
  });

  test(`RFC 9110 7.2, ${carrier.name}: a Host may be empty, a name or an address, with a port or without`, async () => {
    for (const host of [
      '',
      'x',
      'x:80',
      'x:',
      '127.0.0.1:8080',
      '[::1]',
      '[::1]:80',
      'a-b.c_d~e',
    ]) {
      const bytes = `${head(carrier, { host: `Host: ${host}\r\n` })}\r\n`;
      const [response] = await exchange(carrier, bytes);
      assert.equal(response?.status, 200, host);
    }
  });

  test(`RFC 9112 3.2.2, ${carrier.name}: the absolute form is accepted with any Host`, async () => {
    for (const authority of [
      'http://x',
      'http://other.example',
      'HTTP://[::1]',
      'https://user@other.example:99',
    ]) {
      const line = `GET ${authority}${quotes} HTTP/1.1`;
      const [response] = await exchange(carrier, `${head(carrier, { line })}\r\n`);
      assert.equal(response?.status, 200, authority);
    }
    const line = `GET http://x${quotes} HTTP/1.1`;
    await assertRefused(carrier, `${head(carrier, { line, host: '' })}\r\n`);
  });

  test(`RFC 9112 3.2.4, ${carrier.name}: the asterisk form belongs to OPTIONS`, async () => {
    const options = head(carrier, { line: 'OPTIONS * HTTP/1.1' });
    const [response] = await exchange(carrier, `${options}\r\n`);
    assert.equal(response?.status, 405);
    assert.equal(response?.header('allow'), 'GET, HEAD');
    const [other] = await exchange(carrier, `${head(carrier, { line: 'GET * HTTP/1.1' })}\r\n`);
    assert.ok([400, 404].includes(other?.status ?? 0));
  });

  test(`RFC 9112 3.2, ${carrier.name}: an unusual target gets no content that needs a key without one`, async () => {
    for (const target of [
      'http://x/healthz/../cotizaciones?especie=GGAL',
      '/healthz/../cotizaciones?especie=GGAL',
      '/healthz/%2e%2e/cotizaciones?especie=GGAL',
      '/%63otizaciones?especie=GGAL',
      '//cotizaciones?especie=GGAL',
      '/healthz/..;/cotizaciones?especie=GGAL',
      '/cotizaciones;a=b?especie=GGAL',
    ]) {
      const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const [response] = await exchange(carrier, bytes);
      assert.doesNotMatch(response?.body.toString() ?? '', /"especie"/);
      assert.ok([400, 401].includes(response?.status ?? 0), `${target}: ${response?.status}`);
    }
  });

  test(`RFC 9112 2.2, ${carrier.name}: empty lines before a request are ignored`, async () => {
    const [one, other] = await exchange(
      carrier,
      `\r\n${head(carrier)}\r\n\r\n\r\n${head(carrier)}\r\n`,
      { responses: 2 },
    );
    assert.deepEqual([one?.status, other?.status], [200, 200]);
  });

  test(`RFC 9112 5, ${carrier.name}: white space around a value has no meaning`, async () => {
    for (const own of ['Accept:text/csv', 'Accept: \t text/csv \t ', 'aCCEPT:   text/csv']) {
      const [response] = await exchange(carrier, `${head(carrier)}${own}\r\n\r\n`);
      assert.match(response?.header('content-type') ?? '', /^text\/csv/, own);
    }
  });

  test(`RFC 9110 5.5, ${carrier.name}: bytes beyond ASCII in a value are opaque`, async () => {
    const [response] = await exchange(carrier, `${head(carrier)}X: \u00e9\u00ff\r\n\r\n`);
    assert.equal(response?.status, 200);
  });

  test(`RFC 9112 6.3, ${carrier.name}: a request with a length of 0 has no body`, async () => {
    const bytes = `${head(carrier)}Content-Length: 0\r\n\r\n`;
    const [one, other] = await exchange(carrier, bytes + bytes, { responses: 2 });
    assert.deepEqual([one?.status, other?.status], [200, 200]);
  });

  test(`RFC 9112 2.3, ${carrier.name}: a request of another protocol does not change the response to the request before it`, async () => {
    for (const version of ['ICE/1.0', 'RTSP/2.0']) {
      const [first, second] = await exchange(
        carrier,
        `${head(carrier)}\r\n${head(carrier, { line: `GET ${quotes} ${version}` })}\r\n`,
        { responses: 2 },
      );
      assert.deepEqual([first?.status, second?.status, second?.closes], [200, 400, true], version);
    }
  });

  test(`RFC 9112 9.3.2, ${carrier.name}: pipelined requests get their responses in order, each framed exactly`, async () => {
    const tickers = ['GGAL', 'YPFD', 'AL30', 'BTC', 'AAPL'];
    const targets = [
      ...tickers.map((ticker) => `GET /cotizaciones?especie=${ticker}`),
      'GET /especies.txt',
      'GET /cotizaciones?panel=LIDGEN',
      'GET /historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31',
      'GET /openapi.json',
      'GET /nada',
      'GET /cotizaciones',
      'POST /cotizaciones',
      'OPTIONS *',
    ];
    const alone: string[] = [];
    for (const line of targets) {
      const bytes = `${head(carrier, { line: `${line} HTTP/1.1` })}\r\n`;
      const [response] = await exchange(carrier, bytes);
      alone.push(`${response?.status} ${response?.body.toString()}`);
    }
    const order = [...targets.keys(), ...[...targets.keys()].toReversed()];
    const bytes = order.map((at) => `${head(carrier, { line: `${targets[at]} HTTP/1.1` })}\r\n`);
    const responses = await exchange(carrier, bytes.join(''), { responses: order.length });
    assert.deepEqual(
      responses.map(({ status, body }) => `${status} ${body.toString()}`),
      order.map((at) => alone[at]),
    );
  });

  test(`RFC 9110 9.3.2, ${carrier.name}: the response to HEAD ends with its head, with any Content-Length`, async () => {
    const socket = await carrier.open();
    using reader = new ResponseReader(socket, '1.1');
    const lines = ['/openapi.json', quotes, '/nada', '/cotizaciones?panel=NADA'];
    for (const target of lines) {
      socket.write(`${head(carrier, { line: `HEAD ${target} HTTP/1.1` })}\r\n`);
      socket.write(`${head(carrier)}\r\n`);
      const response = await reader.next('HEAD');
      assert.ok(Number(response.header('content-length')) > 0);
      assert.equal((await reader.next('GET')).status, 200, `after HEAD ${target}`);
    }
  });

  test(`RFC 9112 9.6, ${carrier.name}: after a request with Connection: close, the server responds, closes, and reads no further request`, async () => {
    for (const option of ['close', 'Close', 'keep-alive, close', 'close, te']) {
      for (const line of [
        `GET ${quotes} HTTP/1.1`,
        'GET /nada HTTP/1.1',
        `POST ${quotes} HTTP/1.1`,
      ]) {
        const bytes = `${head(carrier, { line })}Connection: ${option}\r\n\r\n${hidden}`;
        const [response] = await exchange(carrier, bytes);
        assert.ok(response?.closes, `${line}, ${option}`);
      }
    }
    const inTwo = `${head(carrier)}Connection: keep-alive\r\nConnection: close\r\n\r\n${hidden}`;
    assert.ok((await exchange(carrier, inTwo))[0]?.closes);
  });

  test(`RFC 9112 9.3, ${carrier.name}: an HTTP/1.0 connection is closed, unless the client requests to keep it`, async () => {
    for (const target of [quotes, '/healthz', '/nada']) {
      const line = `GET ${target} HTTP/1.0`;
      const [closed] = await exchange(carrier, `${head(carrier, { line })}\r\n${hidden}`, {
        version: '1.0',
      });
      assert.ok(closed?.closes);
      const kept = `${head(carrier, { line })}Connection: Keep-Alive\r\n\r\n`;
      const responses = await exchange(carrier, kept + kept, { responses: 2, version: '1.0' });
      for (const response of responses) {
        assert.equal(response.closes, false, target);
        assert.ok(response.header('content-length') !== undefined);
      }
      const both = `${head(carrier, { line })}Connection: close, keep-alive\r\n\r\n${hidden}`;
      assert.ok((await exchange(carrier, both, { version: '1.0' }))[0]?.closes);
    }
  });

  test(`RFC 9112 6.1, ${carrier.name}: HTTP/1.0 has no transfer coding, in a request or in a response`, async () => {
    const line = `GET ${quotes} HTTP/1.0`;
    const coded = `${head(carrier, { line })}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`;
    const [refused] = await exchange(carrier, coded, { version: '1.0' });
    assert.deepEqual([refused?.status, refused?.closes], [400, true]);
    const stream = head(carrier, { line: 'GET /cotizaciones/stream?panel=LID HTTP/1.0' });
    const socket = await carrier.open();
    using reader = new ResponseReader(socket, '1.0');
    socket.write(`${stream}\r\n`);
    const response = await reader.next('GET');
    assert.deepEqual([response.status, response.closes], [200, true]);
  });

  test(`RFC 9112 3.2 and 2.3, ${carrier.name}: HTTP/1.0 needs no Host, and its response is of HTTP/1.1`, async () => {
    const line = `GET ${quotes} HTTP/1.0`;
    const bytes = `${head(carrier, { line, host: '' })}\r\n`;
    const [response] = await exchange(carrier, bytes, { version: '1.0' });
    assert.equal(response?.status, 200);
  });

  test(`RFC 9110 10.1.1, ${carrier.name}: a request with a body that waits for 100 (Continue) is refused without it, and its connection is closed`, async () => {
    for (const version of ['1.0', '1.1']) {
      for (const method of ['GET', 'POST']) {
        const line = `${method} ${quotes} HTTP/${version}`;
        const bytes = `${head(carrier, { line })}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`;
        const [response] = await exchange(carrier, bytes, { version });
        assert.deepEqual(response?.interim, []);
        assert.ok([400, 405].includes(response?.status ?? 0), String(response?.status));
        assert.ok(response?.closes);
      }
    }
  });

  test(`RFC 9110 15.5.15 and contract 4.5.2, ${carrier.name}: a request line of more than 16 KiB gets 414`, async () => {
    const rest = `GET ${quotes}&x= HTTP/1.1\r\n`.length;
    for (const [bytes, status] of [
      [16_384, 200],
      [16_385, 414],
      [33_000, 414],
      [1_000_000, 414],
    ] as const) {
      const line = `GET ${quotes}&x=${'y'.repeat(bytes - rest)} HTTP/1.1`;
      const [response] = await exchange(carrier, `${head(carrier, { line })}\r\n`);
      assert.equal(response?.status, status, String(bytes));
      if (status === 414) assert.match(response.body.toString(), /16384 bytes/);
    }
  });

  test(`RFC 6585 5 and contract 4.5.2, ${carrier.name}: headers that are too large get 431`, async () => {
    for (const own of [`X: ${'y'.repeat(40_000)}\r\n`, 'X-Many: yyyy\r\n'.repeat(4_000)]) {
      await assertRefused(carrier, `${head(carrier)}${own}\r\n`, 431);
    }
    const many = `${head(carrier)}${'a:b\r\n'.repeat(3_000)}`;
    assert.equal((await exchange(carrier, `${many}\r\n`))[0]?.status, 200, 'many within the limit');
    await assertRefused(carrier, `${many}Host: x\r\n\r\n`);
  });
}

for (const carrier of impatient.http1.filter(isOfKind)) {
  test(`RFC 9110 15.5.9 and contract 4.5.2, ${carrier.name}: a request that does not arrive in time gets 408`, async () => {
    const parts = ['GET ', head(carrier), `${head(carrier)}Accept: `];
    await Promise.all(parts.map((bytes) => assertRefused(carrier, bytes, 408)));
  });
}
