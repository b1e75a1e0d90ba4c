import assert from 'node:assert/strict';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { requestRaw } from './raw-http2.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';

/** RFC 9113: the rules of HTTP/2 alone. The other conformance tests also send their requests over HTTP/2. */

const pair = makeCertificate();
const options = { skip: pair === undefined && 'openssl is not installed' };
const started: TestServer[] = [];
after(async () => {
  for (const server of started) await server[Symbol.asyncDispose]();
});

async function startTls(): Promise<TestServer> {
  const certificate = new Certificate(pair ?? assert.fail());
  const server = await startTestServer({ transport: { certificate } });
  started.push(server);
  return server;
}

async function openTls(server: TestServer): Promise<TLSSocket> {
  const at = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket = connectTls({ ...at, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  return socket;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Sends one request over a new connection. */
async function send(
  server: TestServer,
  fields: Fields,
  parts: Parameters<typeof requestRaw>[2] = {},
): Promise<number | 'reset' | 'goaway'> {
  const socket = await openTls(server);
  try {
    return await requestRaw(socket, fields, parts);
  } finally {
    socket.destroy();
  }
}

const method = [':method', 'GET'] as const;
const scheme = [':scheme', 'https'] as const;
const authority = [':authority', 'x'] as const;
const path = [':path', '/healthz'] as const;
const whole = [method, scheme, authority, path];

/** Malformed requests (RFC 9113 8.1.1). They are refused with any key. */
const malformed: Readonly<Record<string, Fields>> = {
  '8.3.1: no :method': [scheme, authority, path],
  '8.3.1: no :scheme': [method, authority, path],
  '8.3.1: no :path': [method, scheme, authority],
  '8.3.1: an empty :path': [method, scheme, authority, [':path', '']],
  '8.3.1: a :path without a slash': [method, scheme, authority, [':path', 'healthz']],
  '8.3.1: the asterisk form of GET': [method, scheme, authority, [':path', '*']],
  '8.3: :method twice': [method, ...whole],
  '8.3: :path twice': [...whole, path],
  '8.3: :authority twice': [...whole, authority],
  '8.3: a pseudo-header field after another field': [method, scheme, ['x', 'y'], authority, path],
  '8.3: an unknown pseudo-header field': [...whole, [':protocol-x', 'y']],
  '8.3: a pseudo-header field of responses': [...whole, [':status', '200']],
  '8.5: :protocol without an extended CONNECT': [...whole, [':protocol', 'websocket']],
  '8.5: CONNECT with a :path': [[':method', 'CONNECT'], authority, path],
  '8.5: CONNECT with a :scheme': [[':method', 'CONNECT'], scheme, authority],
  '8.5: CONNECT without an :authority': [[':method', 'CONNECT']],
  '8.3.1: host twice': [...whole, ['host', 'x'], ['host', 'x']],
  '8.2.1: a name in upper case': [...whole, ['X-Y', 'z']],
  '8.2.2: connection': [...whole, ['connection', 'close']],
  '8.2.2: keep-alive': [...whole, ['keep-alive', 'timeout=5']],
  '8.2.2: proxy-connection': [...whole, ['proxy-connection', 'close']],
  '8.2.2: transfer-encoding': [...whole, ['transfer-encoding', 'chunked']],
  '8.2.2: upgrade': [...whole, ['upgrade', 'websocket']],
  '8.2.2: te with anything but trailers': [...whole, ['te', 'gzip']],
  '8.1.1: a content-length with no content': [...whole, ['content-length', '5']],
  '8.1.1: two content-length fields': [...whole, ['content-length', '0'], ['content-length', '1']],
  '8.1.1: a content-length that is no number': [...whole, ['content-length', '+0']],
};

suite('RFC 9113', options, () => {
  for (const [what, fields] of Object.entries(malformed)) {
    test(`${what} resets the stream or gets 400`, async () => {
      const server = started[0] ?? (await startTls());
      for (const key of [[], [['authorization', `Bearer ${server.key}`]]] satisfies Fields[]) {
        const result = await send(server, [...fields, ...key]);
        assert.ok(['reset', 'goaway', 400].includes(result), String(result));
      }
    });
  }

  test('8.2.1: a malformed field name or value resets the stream, gets 400, or is ignored', async () => {
    const server = started[0] ?? (await startTls());
    const quotes = [method, scheme, authority, [':path', '/cotizaciones?panel=LID']] as const;
    const key = `Bearer ${server.key}`;
    assert.equal(await send(server, [...quotes, ['authorization', key]]), 200);
    // nghttp2 drops such a field. The request then has no key.
    for (const field of [
      ['authorization ', key],
      ['authorization:', key],
      ['authorization\u0001', key],
      ['', key],
      ['authorization', `${key}\0`],
      ['authorization', `${key}\r`],
      ['authorization', `${key}\n`],
      ['authorization', `${key}\u007f`],
      ['authorization', ` ${key}`],
      ['authorization', `${key}\t`],
    ] as const) {
      const result = await send(server, [...quotes, field]);
      assert.ok(['reset', 'goaway', 400, 401].includes(result), `${field.join()}: ${result}`);
    }
  });

  test('8.1.1: content that is shorter or longer than its length resets the stream or is refused', async () => {
    const server = started[0] ?? (await startTls());
    for (const length of ['4', '6']) {
      const fields: Fields = [...whole, ['content-length', length]];
      const result = await send(server, fields, { data: 'hello' });
      assert.ok(['reset', 'goaway', 400].includes(result), String(result));
    }
  });

  test('8.1: the content of a GET, and trailer fields, never change the request', async () => {
    const server = started[0] ?? (await startTls());
    for (const [expected, parts] of [
      [[400], { data: 'hello' }],
      [[400], { data: 'hello', trailers: [['x', 'y']] }],
      [[200, 400], { trailers: [['x', 'y']] }],
      [['reset', 400], { trailers: [[':path', '/nada']] }],
      [['reset', 400], { data: '', trailers: [[':method', 'GET']] }],
      [['reset', 200, 400], { trailers: [['authorization', `Bearer ${server.key}`]] }],
    ] satisfies [unknown[], { data?: string; trailers?: Fields }][]) {
      const result = await send(server, whole, parts);
      assert.ok((expected as unknown[]).includes(result), `${JSON.stringify(parts)}: ${result}`);
    }
    const quotes = [method, scheme, authority, [':path', '/cotizaciones?panel=LID']] as const;
    const trailers: Fields = [['authorization', `Bearer ${server.key}`]];
    const result = await send(server, quotes, { data: '', trailers });
    assert.ok(['reset', 400, 401].includes(result), `a key in a trailer: ${result}`);
  });

  test('8.3.1: host and :authority may be equal or one of them absent; without both, the request gets 400', async () => {
    const server = started[0] ?? (await startTls());
    for (const [expected, fields] of [
      [200, [method, scheme, path, ['host', 'x']]],
      [200, [...whole, ['host', 'x']]],
      [400, [...whole, ['host', 'y']]],
      [400, [method, scheme, path]],
      [400, [method, scheme, path, ['host', 'x/y']]],
      [400, [method, scheme, [':authority', 'user@x'], path]],
      [400, [method, scheme, [':authority', 'x y'], path]],
    ] satisfies [number, Fields][]) {
      const result = await send(server, fields);
      assert.ok(
        [expected, ...(expected === 400 ? ['reset'] : [])].includes(result),
        `${JSON.stringify(fields)}: ${result}`,
      );
    }
  });

  test('contract 4.5.2: a request with a body gets 400, also after the same head without a body', async () => {
    const server = started[0] ?? (await startTls());
    const session: ClientHttp2Session = connectHttp2(`https://127.0.0.1:${server.port}`, {
      rejectUnauthorized: false,
    });
    const head = {
      ':path': '/cotizaciones?panel=LID',
      authorization: `Bearer ${server.key}`,
    };
    const statusOf = async (content: string | undefined): Promise<unknown> => {
      const stream = session.request(head, { endStream: content === undefined });
      if (content !== undefined) stream.end(content);
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      await text(stream);
      return headers[':status'];
    };
    try {
      for (const [content, status] of [
        [undefined, 200],
        [undefined, 200],
        ['x', 400],
        [undefined, 200],
        ['x', 400],
        // A body without content: DATA frames that carry nothing.
        ['', 200],
      ] as const) {
        assert.equal(await statusOf(content), status);
      }
    } finally {
      session.destroy();
    }
  });

  test('8.2.2: te: trailers is allowed', async () => {
    const server = started[0] ?? (await startTls());
    assert.equal(await send(server, [...whole, ['te', 'trailers']]), 200);
  });

  test('8.2.3: cookies may be split into several fields', async () => {
    const server = started[0] ?? (await startTls());
    const cookies: Fields = [
      ['cookie', 'a=b'],
      ['cookie', 'c=d'],
    ];
    assert.equal(await send(server, [...whole, ...cookies]), 200);
  });

  test('3.4: a connection that does not start with the preface is closed, and does not disturb a stop right after it', async () => {
    const certificate = new Certificate(pair ?? assert.fail());
    await using server = await startTestServer({ transport: { certificate } });
    const socket = await openTls(server);
    socket.on('error', () => undefined);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const received = await text(socket);
    assert.doesNotMatch(received, /HTTP\/1\.1 200/);
  });
});
