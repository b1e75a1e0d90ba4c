import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';

import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import {
  startPrivateServer,
  type TestPrivateServer,
} from '../support/http/start-private-server.ts';
import { assertWellFormed } from './assert-well-formed.ts';
import {
  headerOf,
  ResponseReader,
  waitMsMax,
  type Field,
  type Response,
} from '../support/http/response-reader.ts';
import { once } from '../support/wait.ts';

/** The private listener. Its rules for messages are those of the public listener. */

const bodyBytesMax = 1_000;
const server = await startPrivateServer({
  updatesBodyBytesMax: bodyBytesMax,
  limits: { drainMs: 50 },
});
/** A listener with short limits, which a busy machine may need for a whole request. One test uses it. */
const impatient = await startPrivateServer({
  limits: { drainMs: 50, headersTimeoutMs: 300, requestTimeoutMs: 600, timeoutCheckMs: 20 },
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
});

const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const update = '{"ticker":"GGAL","at":"2026-11-20T14:00:00Z","last":101,"previousClose":100}\n';

/** A head without the empty line at its end. */
function head(line: string, key?: string, host = 'Host: x\r\n'): string {
  return `${line}\r\n${host}${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}`;
}

async function exchange(
  bytes: string,
  { method = 'GET', version = '1.1', at = server } = {},
): Promise<Response> {
  const socket = connect({ port: at.port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  using reader = new ResponseReader(socket, version);
  socket.write(bytes, 'latin1');
  const response = await reader.next(method);
  assertWellFormed(response, { method, carrier: { version, isTls: false, isPrivate: true } });
  if (response.closes) await reader.end();
  else {
    socket.write(hidden);
    assert.equal((await reader.next('GET')).status, 200, 'the connection does not persist');
  }
  return response;
}

const routes: Readonly<
  Record<string, { allow: string; method: string; scope: 'ingest' | 'metrics' | 'open' }>
> = {
  '/updates': { allow: 'POST', method: 'POST', scope: 'ingest' },
  '/metrics': { allow: 'GET, HEAD', method: 'GET', scope: 'metrics' },
  '/readyz': { allow: 'GET, HEAD', method: 'GET', scope: 'open' },
  '/healthz': { allow: 'GET, HEAD', method: 'GET', scope: 'open' },
};

for (const version of ['1.0', '1.1']) {
  suite(`the private listener, HTTP/${version}`, () => {
    test('RFC 9110 9.1: a method that a path does not have gets 401 without a key, and 405 with Allow with one', async () => {
      for (const [path, { allow }] of Object.entries(routes)) {
        for (const method of METHODS) {
          if (allow.split(', ').includes(method) || method === 'CONNECT') continue;
          const line = `${method} ${path} HTTP/${version}`;
          const keys = server.keys;
          for (const key of [undefined, keys.read, 'pz_wrong']) {
            const { status } = await exchange(`${head(line, key)}\r\n`, { method, version });
            assert.equal(status, 401, `${line}, key ${key}`);
          }
          const response = await exchange(`${head(line, keys.metrics)}\r\n`, { method, version });
          assert.equal(response.status, 405, line);
          assert.equal(response.header('allow'), allow, line);
        }
      }
    });

    test('RFC 9110 11.6.1: a path gets 401 without a key of its scope, and so does an unknown path', async () => {
      const { read, ingest, metrics } = server.keys;
      for (const [path, refused] of [
        ['/metrics', [undefined, read, ingest]],
        ['/updates', [undefined, read, metrics]],
        ['/nada', [undefined, read]],
        ['/cotizaciones?panel=LID', [undefined, read]],
      ] as const) {
        const method = routes[path]?.method ?? 'GET';
        for (const key of refused) {
          const line = `${method} ${path} HTTP/${version}`;
          const length = method === 'POST' ? 'Content-Length: 0\r\n' : '';
          const { status } = await exchange(`${head(line, key)}${length}\r\n`, { version });
          assert.equal(status, 401, `${line}, ${key}`);
        }
      }
      const unknown = await exchange(`${head(`GET /nada HTTP/${version}`, metrics)}\r\n`, {
        version,
      });
      assert.equal(unknown.status, 404);
    });

    test('RFC 9110 9.3.2: HEAD has the status of GET, and no content', async () => {
      for (const path of ['/metrics', '/readyz', '/healthz', '/nada']) {
        const send = (method: string): Promise<Response> =>
          exchange(`${head(`${method} ${path} HTTP/${version}`, server.keys.metrics)}\r\n`, {
            method,
            version,
          });
        const [whole, none] = [await send('GET'), await send('HEAD')];
        assert.equal(none.status, whole.status, path);
        assert.equal(none.header('content-type'), whole.header('content-type'), path);
      }
    });
  });
}

suite('the private listener, RFC 9112', () => {
  const refusedRests: Readonly<Record<string, string>> = {
    '5.1: a space before a colon': `X : y\r\n\r\n${hidden}`,
    '5.2: a folded line': `X: y\r\n z\r\n\r\n${hidden}`,
    '6.1: Content-Length and Transfer-Encoding': `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    '6.1: an unknown coding': `Transfer-Encoding: foo\r\n\r\n${hidden}`,
    '6.1: an unsupported coding before chunked': `Transfer-Encoding: foo, chunked\r\n\r\n0\r\n\r\n${hidden}`,
    '6.3: chunked, and another coding after it': `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${hidden}`,
    '6.3: two lengths that differ': `Content-Length: 0\r\nContent-Length: 5\r\n\r\n${hidden}`,
    '7.1: a chunk without a size': `Transfer-Encoding: chunked\r\n\r\nzz\r\n${hidden}`,
    '7.1: a chunk that is longer than its size': `Transfer-Encoding: chunked\r\n\r\n1\r\n${hidden}`,
  };
  for (const [what, rest] of Object.entries(refusedRests)) {
    test(`${what} gets 400, and the connection is closed`, async () => {
      const line = 'POST /updates HTTP/1.1';
      const { status, closes } = await exchange(`${head(line, server.keys.ingest)}${rest}`);
      assert.deepEqual([status, closes], [400, true]);
    });
  }

  test('2.3: a message that is neither HTTP/1.0 nor 1.1 gets 400, and the connection is closed', async () => {
    for (const version of ['HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'RTSP/1.0', 'ICE/1.0']) {
      const bytes = `${head(`GET /metrics ${version}`, server.keys.metrics)}\r\n${hidden}`;
      const { status, closes } = await exchange(bytes);
      assert.deepEqual([status, closes], [400, true], version);
    }
  });

  test('3.2: a request without Host, with two, or with one that is not an authority, gets 400', async () => {
    for (const host of ['', 'Host: x\r\nHost: x\r\n', 'Host: x y\r\n', 'Host: x/y\r\n']) {
      const bytes = `${head('GET /metrics HTTP/1.1', server.keys.metrics, host)}\r\n${hidden}`;
      const { status, closes } = await exchange(bytes);
      assert.deepEqual([status, closes], [400, true], host);
    }
  });

  test('7.1 and 6.3: a body in chunks or with a length is read to its end, and the next request after it', async () => {
    const line = head('POST /updates HTTP/1.1', server.keys.ingest);
    const size = update.length.toString(16);
    for (const rest of [
      `Content-Length: ${update.length}\r\n\r\n${update}`,
      `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${update}\r\n0\r\n\r\n`,
      `Transfer-Encoding: Chunked\r\n\r\n${size};name=value\r\n${update}\r\n0\r\nX-Trailer: y\r\n\r\n`,
      `Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n${(update.length - 1).toString(16)}\r\n${update.slice(1)}\r\n0\r\n\r\n`,
    ]) {
      const { status, closes } = await exchange(`${line}${rest}`, { method: 'POST' });
      assert.deepEqual([status, closes], [200, false], rest);
    }
  });

  test('RFC 9110 10.1.1: a client that waits for 100 (Continue) gets it once its key is valid', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    using reader = new ResponseReader(socket, '1.1');
    const expect = `Expect: 100-continue\r\nContent-Length: ${update.length}\r\n\r\n`;
    socket.write(head('POST /updates HTTP/1.1', server.keys.ingest) + expect);
    const [interim] = (await once(socket, 'data')) as [Buffer];
    assert.equal(interim.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(update);
    const response = await reader.next('POST');
    assert.deepEqual([response.status, response.interim], [200, [100]]);

    const refused = await exchange(`${head('POST /updates HTTP/1.1', server.keys.read)}${expect}`);
    assert.deepEqual([refused.status, refused.interim, refused.closes], [401, [], true]);
  });

  test('RFC 9110 15.5.14: a body beyond the limit is 413, by its length or in chunks', async () => {
    const line = head('POST /updates HTTP/1.1', server.keys.ingest);
    const big = 'x'.repeat(bodyBytesMax + 1);
    for (const rest of [
      `Content-Length: ${big.length}\r\n\r\n${big}`,
      `Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
    ]) {
      const { status } = await exchange(`${line}${rest}`, { method: 'POST' });
      assert.equal(status, 413, rest.slice(0, 60));
    }
  });

  test('RFC 9110 15.5.9: a head or a body that does not arrive in time gets 408', async () => {
    const line = head('POST /updates HTTP/1.1', impatient.keys.ingest);
    for (const bytes of [
      line,
      `${line}Content-Length: 50\r\n\r\n{`,
      `${line}Content-Length: 500\r\n\r\n${update}`,
      `${line}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    ]) {
      const { status, closes } = await exchange(bytes, { at: impatient });
      assert.deepEqual([status, closes], [408, true]);
    }
  });

  test('RFC 9110 15.5.16: an unknown content encoding gets 415 or 400', async () => {
    const line = head('POST /updates HTTP/1.1', server.keys.ingest);
    const rest = `Content-Encoding: compress\r\nContent-Length: ${update.length}\r\n\r\n${update}`;
    const { status } = await exchange(`${line}${rest}`, { method: 'POST' });
    assert.ok([400, 415].includes(status), String(status));
  });
});

const pair = makeCertificate();

suite(
  'the private listener, HTTP/2',
  { skip: pair === undefined && 'openssl is not installed' },
  () => {
    let secure: TestPrivateServer;
    let session: ClientHttp2Session;
    before(async () => {
      secure = await startPrivateServer({
        updatesBodyBytesMax: bodyBytesMax,
        limits: { drainMs: 50 },
        transport: { certificate: new Certificate(pair ?? assert.fail()) },
      });
      session = connectHttp2(`https://127.0.0.1:${secure.port}`, { rejectUnauthorized: false });
    });
    after(async () => {
      session.destroy();
      await secure[Symbol.asyncDispose]();
    });

    /** Sends a request, and fails unless the response is well-formed. */
    async function send(
      method: string,
      path: string,
      {
        key,
        body,
        fields = {},
      }: { key?: string; body?: string; fields?: OutgoingHttpHeaders } = {},
    ): Promise<{
      readonly status: number;
      readonly allow: string | undefined;
      readonly body: string;
    }> {
      const own = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const request = { ':method': method, ':path': path, ...own, ...fields };
      const stream = session.request(request, { endStream: body === undefined });
      stream.setTimeout(waitMsMax, () => stream.destroy(new Error('no response')));
      if (body !== undefined) stream.end(body);
      const [[headers], content] = await Promise.all([
        once(stream, 'response') as Promise<[Record<string, string | number>]>,
        buffer(stream),
      ]);
      const status = Number(headers[':status']);
      const received = Object.entries(headers)
        .filter(([name]) => !name.startsWith(':'))
        .map(([name, value]): Field => [name, String(value)]);
      const header = headerOf(received);
      const response = {
        status,
        fields: received,
        header,
        body: content,
        interim: [],
        closes: false,
      };
      const carrier = { version: '2', isTls: true, isPrivate: true };
      assertWellFormed(response, { method, carrier });
      return { status, allow: header('allow'), body: content.toString() };
    }

    test('RFC 9110 9.1: a method that a path does not have gets 401 without a key, and 405 with Allow with one', async () => {
      const { read, metrics } = secure.keys;
      for (const [path, { allow }] of Object.entries(routes)) {
        for (const method of [...METHODS, 'PLAY', 'FOO', 'get']) {
          if (allow.split(', ').includes(method) || method === 'CONNECT') continue;
          for (const key of [undefined, read]) {
            const refused = await send(method, path, key === undefined ? {} : { key });
            assert.equal(refused.status, 401, `${method} ${path}`);
          }
          const response = await send(method, path, { key: metrics });
          assert.deepEqual([response.status, response.allow], [405, allow], `${method} ${path}`);
        }
      }
    });

    test('RFC 9113 8.1: a push is read whole, beside others on the same connection', async () => {
      const { ingest } = secure.keys;
      const pushes = Array.from({ length: 5 }, () =>
        send('POST', '/updates', { key: ingest, body: update }),
      );
      for (const { status } of await Promise.all(pushes)) assert.equal(status, 200);
      const length = { 'content-length': String(update.length) };
      const expect = { ...length, expect: '100-continue' };
      for (const fields of [length, expect]) {
        const { status } = await send('POST', '/updates', { key: ingest, body: update, fields });
        assert.equal(status, 200);
      }
    });

    test('contract 5.2: a push without a key of its scope gets 401, and the next one is read', async () => {
      for (const key of [undefined, secure.keys.read, secure.keys.metrics, secure.keys.ingest]) {
        const request = { body: update, ...(key === undefined ? {} : { key }) };
        const expected = key === secure.keys.ingest ? 200 : 401;
        assert.equal((await send('POST', '/updates', request)).status, expected);
      }
    });

    test('RFC 9110 15.5.14: a body beyond the limit gets 413', async () => {
      const body = 'x'.repeat(bodyBytesMax + 1);
      assert.equal((await send('POST', '/updates', { key: secure.keys.ingest, body })).status, 413);
    });
  },
);
