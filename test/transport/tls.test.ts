import assert from 'node:assert/strict';
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls';

import {
  Certificate,
  type CertificatePair,
} from '../../src/http/carriers/connection/certificate.ts';
import { assertContract } from '../support/http/contract.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { parseAnswer } from '../support/http/raw-http.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { deferred, once } from '../support/wait.ts';

const made = makeCertificate();

/** Starts a server with TLS, and with timeouts that are short enough for a test. */
async function startTls(limits = {}): Promise<TestServer & { readonly certificate: Certificate }> {
  const certificate = new Certificate(made ?? assert.fail('no certificate'));
  const server = await startTestServer({ transport: { certificate }, limits });
  return { ...server, certificate };
}

async function openTls(
  server: TestServer,
  options: { readonly maxVersion?: SecureVersion; readonly protocols?: string[] } = {},
): Promise<TLSSocket> {
  const socket = connectTls({
    port: server.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: options.protocols ?? ['http/1.1'],
    ...(options.maxVersion === undefined ? {} : { maxVersion: options.maxVersion }),
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

function openSession(server: TestServer): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  return session;
}

interface Http2Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  const [[headers], body] = await Promise.all([
    once(stream, 'response') as Promise<[OutgoingHttpHeaders]>,
    text(stream),
  ]);
  return { status: Number(headers[':status']), headers, body };
}

/** Sends a request over HTTP/2, and checks the response against the contract. */
async function ask(
  session: ClientHttp2Session,
  server: TestServer,
  { path, body, ...more }: OutgoingHttpHeaders & { readonly path: string; readonly body?: string },
): Promise<Http2Answer> {
  const head = { ':path': path, authorization: `Bearer ${server.key}`, ...more };
  const stream = session.request(head, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const answer = await answerOf(stream);
  assertContract(String(more[':method'] ?? 'GET'), path.split('?')[0] ?? '', {
    ...answer,
    header: (name) => answer.headers[name.toLowerCase()]?.toString(),
  });
  return answer;
}

suite('TLS', { skip: made === undefined && 'openssl is not installed' }, () => {
  test('contract 5.3: only TLS 1.2 and 1.3 are accepted, and every response has Strict-Transport-Security', async () => {
    await using server = await startTls();
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await openTls(server, { maxVersion });
      assert.equal(socket.getProtocol(), maxVersion);
      socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const answer = parseAnswer(await text(socket));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000');
    }
    const old = connectTls({
      port: server.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const [fault] = (await once(old, 'error')) as [NodeJS.ErrnoException];
    assert.match(fault.code ?? '', /^ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION$/);
  });

  test('HTTP/2 is used with clients that offer it, and HTTP/1.1 with the others', async () => {
    await using server = await startTls();
    const both = await openTls(server, { protocols: ['h2', 'http/1.1'] });
    assert.equal(both.alpnProtocol, 'h2');
    both.destroy();
    const one = await openTls(server, { protocols: [] });
    one.end('GET /nada HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.equal(parseAnswer(await text(one)).status, 401);
  });

  test('contract 4.4.1: a stream of quotes over HTTP/2 stays open and is not treated as a slow reader', async () => {
    await using server = await startTls({
      headersTimeoutMs: 500,
      requestTimeoutMs: 500,
      responseTimeoutMs: 250,
    });
    const session = openSession(server);
    const stream = session.request({
      ':path': '/cotizaciones/stream?especie=GGAL',
      authorization: `Bearer ${server.key}`,
    });
    stream.setEncoding('utf8');
    let received = '';
    const second = new Promise<void>((resolve) => {
      stream.on('data', (chunk: string) => {
        received += chunk;
        if (received.includes('"ultimo":99.5')) resolve();
      });
    });
    await once(stream, 'data');
    // Wait longer than any request may take, until an idle client's session is closed.
    await once(openSession(server), 'close');
    await once(openSession(server), 'close');
    const instrument = server.board.universe.find('GGAL') ?? assert.fail();
    const quote = server.board.quote(instrument) ?? assert.fail();
    server.board.adopt([{ ...quote, last: 99.5, version: quote.version + 1_000 }]);
    await second;
    session.destroy();
  });

  test('the session of an HTTP/2 client that is idle, stalls its body or does not read is closed', async () => {
    await using server = await startTls({
      headersTimeoutMs: 150,
      requestTimeoutMs: 150,
      keepAliveTimeoutMs: 150,
      responseTimeoutMs: 150,
    });
    const silent = openSession(server);
    await once(silent, 'close');

    const idle = openSession(server);
    await ask(idle, server, { path: '/healthz' });
    await once(idle, 'close');

    const unread = connectHttp2(`https://127.0.0.1:${server.port}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    });
    const stream = unread.request({ ':path': '/openapi.json' });
    stream.on('error', () => undefined);
    await once(stream, 'close');
    assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL);
    unread.destroy();
  });

  test('a connection without a TLS handshake is closed, and plain HTTP gets no response', async () => {
    await using server = await startTls({ headersTimeoutMs: 150 });
    const silent = connectTcp({ port: server.port, host: '127.0.0.1' });
    silent.on('error', () => undefined).resume();
    await once(silent, 'close');
    const plain = connectTcp({ port: server.port, host: '127.0.0.1' });
    plain.on('error', () => undefined);
    plain.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let bytes = '';
    plain.on('data', (chunk) => (bytes += chunk.toString('latin1')));
    await once(plain, 'close');
    assert.doesNotMatch(bytes, /HTTP\/1\.1/);
  });

  test('over TLS too, the connection of a client that does not read its responses is closed', async () => {
    const certificate = new Certificate(made ?? assert.fail());
    const cut = deferred<void>();
    const connectionObserver = { connectionRefused: () => undefined, readerCut: cut.resolve };
    await using server = await startTestServer({
      transport: { certificate, connectionObserver },
      limits: { responseTimeoutMs: 300 },
    });
    const socket = await openTls(server);
    socket.pause();
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    const asking = setInterval(() => socket.write(request.repeat(200)), 20);
    await cut.promise;
    clearInterval(asking);
    socket.destroy();
  });

  test('a renewed certificate is used for new connections, and existing ones stay open', async () => {
    await using server = await startTls();
    const renewed: CertificatePair = makeCertificate('renewed') ?? assert.fail();
    const session = openSession(server);
    await ask(session, server, { path: '/healthz' });
    const before = await openTls(server);
    server.certificate.renew(renewed);
    const next = await openTls(server);
    assert.equal(next.getPeerCertificate().subject.CN, 'renewed');
    next.destroy();
    assert.equal((await ask(session, server, { path: '/cotizaciones?panel=LID' })).status, 200);
    before.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.equal(parseAnswer(await text(before)).status, 200);
    session.destroy();
  });

  test('a certificate and a key that do not match are refused, and the old pair stays in use', async () => {
    await using server = await startTls();
    const other = makeCertificate('other') ?? assert.fail();
    const { pair } = server.certificate;
    assert.throws(() => server.certificate.renew({ cert: other.cert, key: pair.key }));
    assert.throws(() => server.certificate.renew({ cert: 'no certificate', key: pair.key }));
    const socket = await openTls(server);
    assert.equal(socket.getPeerCertificate().subject.CN, 'localhost');
    socket.destroy();
  });
});
