import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2';
import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { writePieces } from '../support/http/write-pieces.ts';
import { assertWellFormed } from './assert-well-formed.ts';
import {
  headerOf,
  ResponseReader,
  waitMsMax,
  type Field,
  type Response,
} from '../support/http/response-reader.ts';
import { deferred, once } from '../support/wait.ts';

/** A request, independent of the carrier. */
export interface Request {
  /** The default is GET. */
  readonly method?: string;
  readonly target: string;
  /** The default is a valid key. */
  readonly key?: 'valid' | 'wrong' | 'none';
  readonly fields?: readonly Field[];
  /** Sent with a Content-Length. */
  readonly body?: string;
  /** Where HTTP/1 cuts the message into pieces, as fractions of its length. */
  readonly cuts?: readonly number[];
}

/** A protocol with which requests are sent and responses received. */
export interface Carrier {
  readonly name: string;
  readonly version: '1.0' | '1.1' | '2';
  readonly isTls: boolean;
  /** Whether the server trusts the forwarded headers of this machine. */
  readonly isBehindProxy: boolean;
  readonly server: TestServer;
  /**
   * Sends a request. Fails unless the response is well-formed, and the connection is closed or ready for the next
   * request, as the response announces.
   */
  send(request: Request): Promise<Response>;
  /** Opens a connection on which the caller writes bytes. Only for the versions 1.0 and 1.1. */
  open(): Promise<Duplex>;
}

/** The carriers. Each one has a server with the same data. */
export interface Carriers extends AsyncDisposable {
  readonly all: readonly Carrier[];
  /** The carriers of HTTP/1.0 and 1.1. */
  readonly http1: readonly Carrier[];
  /** The server without TLS. */
  readonly plain: TestServer;
}

/** A certificate; undefined where OpenSSL is not installed. */
const pair = makeCertificate();

/** The server of a carrier. */
interface Place {
  readonly server: TestServer;
  readonly isTls: boolean;
  readonly isBehindProxy: boolean;
}

/**
 * Starts a server for each carrier.
 *
 * The socket carrier serves a GET without a body. `Content-Length: 0` has the same meaning (RFC 9112 6.3), but is
 * only read by Node's parser. Node also reads all requests when every request is logged.
 */
export async function startCarriers(
  given: Partial<PublicServerParts> | (() => Partial<PublicServerParts>) = {},
): Promise<Carriers> {
  await using cleanUp = new AsyncDisposableStack();
  const start = async (isTls: boolean, own: Partial<PublicServerParts> = {}): Promise<Place> => {
    const parts = { ...(typeof given === 'function' ? given() : given), ...own };
    const transport =
      isTls && pair !== undefined
        ? { ...parts.transport, certificate: new Certificate(pair) }
        : parts.transport;
    const all = transport === undefined ? parts : { ...parts, transport };
    const isBehindProxy = parts.transport?.proxies !== undefined;
    return { server: cleanUp.use(await startTestServer(all)), isTls, isBehindProxy };
  };
  const plain = await start(false);
  const http1 = [
    new Http1Carrier('HTTP/1.1', plain),
    new Http1Carrier('HTTP/1.1 by Node', await start(false, { accessLog: 'all' }), '1.1', [
      ['content-length', '0'],
    ]),
    new Http1Carrier('HTTP/1.0', await start(false), '1.0'),
  ];
  if (pair !== undefined) http1.push(new Http1Carrier('HTTP/1.1 over TLS', await start(true)));
  for (const one of http1) cleanUp.use(one);
  const all: Carrier[] = [...http1];
  if (pair !== undefined) all.push(cleanUp.use(new Http2Carrier(await start(true))));
  const running = cleanUp.move();
  return {
    all,
    http1,
    plain: plain.server,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The fields of a request, including the key. */
function fieldsOf({ key = 'valid', fields = [] }: Request, server: TestServer): readonly Field[] {
  if (key === 'none') return fields;
  const value = key === 'valid' ? server.key : `${server.key.slice(0, -6)}000000`;
  return [['authorization', `Bearer ${value}`], ...fields];
}

/** The HTTP/1 message of a request. */
export function messageOf(
  request: Request,
  { server, version }: Pick<Carrier, 'server' | 'version'>,
  added: readonly Field[] = [],
): string {
  const { method = 'GET', target, body } = request;
  const length: readonly Field[] =
    body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
  const isFramed = request.fields?.some(([name]) =>
    ['content-length', 'transfer-encoding'].includes(name.toLowerCase()),
  );
  const own = isFramed === true || body !== undefined ? [] : added;
  const fields: readonly Field[] = [['host', 'x'], ...fieldsOf(request, server), ...own, ...length];
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body ?? ''}`;
}

async function openSocket({ server, isTls }: Pick<Place, 'server' | 'isTls'>): Promise<Duplex> {
  const at = { port: server.port, host: '127.0.0.1', noDelay: true };
  const socket = isTls
    ? connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    : connectTcp(at);
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return socket;
}

/** Targets that the socket carrier serves. After another request, Node's parser reads the connection. */
const content = /^\/(?:cotizaciones\?|historicos\?|eventos\?|especies\.|mercados|dolares)/;

/**
 * Sends requests one after another over a persistent connection. Requests after which Node may read the
 * connection are sent over another one.
 */
class Http1Carrier implements Carrier, Disposable {
  readonly name: string;
  readonly version: '1.0' | '1.1';
  readonly isTls: boolean;
  readonly isBehindProxy: boolean;
  readonly server: TestServer;
  readonly #added: readonly Field[];
  readonly #open = new Map<boolean, { socket: Duplex; reader: ResponseReader }>();

  constructor(
    name: string,
    { server, isTls, isBehindProxy }: Place,
    version: '1.0' | '1.1' = '1.1',
    added: readonly Field[] = [],
  ) {
    this.name = name;
    this.version = version;
    this.isTls = isTls;
    this.isBehindProxy = isBehindProxy;
    this.server = server;
    this.#added = added;
  }

  open(): Promise<Duplex> {
    return openSocket(this);
  }

  async send(request: Request): Promise<Response> {
    const { method = 'GET', target, key = 'valid', cuts = [] } = request;
    const isPlain = method === 'GET' && key === 'valid' && content.test(target);
    const { socket, reader } = this.#open.get(isPlain) ?? (await this.#connect());
    this.#open.delete(isPlain);
    const message = messageOf(request, this, this.#added);
    await writePieces(socket, Buffer.from(message, 'latin1'), cuts);
    const response = await reader.next(method);
    assertWellFormed(response, { method, carrier: this });
    const type = response.header('content-type') ?? '';
    if (type.startsWith('text/event-stream') && method !== 'HEAD') reader[Symbol.dispose]();
    else if (response.closes) await reader.end();
    else this.#open.set(isPlain, { socket, reader });
    return response;
  }

  [Symbol.dispose](): void {
    for (const { reader } of this.#open.values()) reader[Symbol.dispose]();
  }

  async #connect(): Promise<{ socket: Duplex; reader: ResponseReader }> {
    const socket = await openSocket(this);
    return { socket, reader: new ResponseReader(socket, this.version) };
  }
}

/** Lets a client send a field in several lines, which Node does not do by itself. */
const sessionOptions = { rejectUnauthorized: false, strictSingleValueFields: false };

/** Sends requests as streams of one session, and opens another session when the server has closed it. */
class Http2Carrier implements Carrier, Disposable {
  readonly name = 'HTTP/2';
  readonly version = '2';
  readonly isTls = true;
  readonly isBehindProxy: boolean;
  readonly server: TestServer;
  #session: ClientHttp2Session | undefined;

  constructor({ server, isBehindProxy }: Place) {
    this.server = server;
    this.isBehindProxy = isBehindProxy;
  }

  open(): Promise<Duplex> {
    throw new Error('HTTP/2 has no messages to write');
  }

  async send(request: Request): Promise<Response> {
    const { method = 'GET', target, body } = request;
    const own = fieldsOf(request, this.server).map(([name, value]) => [name.toLowerCase(), value]);
    const pseudo = [':method', method, ':scheme', 'https', ':authority', 'x', ':path', target];
    // For CONNECT, which has no path (RFC 9113 8.5), Node's client needs other arguments.
    const head = method === 'CONNECT' ? [':method', method, ':authority', target] : pseudo;
    const endStream = body === undefined;
    const stream = this.#open().request([...head, ...own.flat()], { endStream });
    if (body !== undefined) stream.end(body);
    const timer = setTimeout(() => stream.destroy(new Error('no response')), waitMsMax);
    try {
      return await this.#responseOf(stream, method);
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#session?.destroy();
  }

  async #responseOf(stream: ClientHttp2Stream, method: string): Promise<Response> {
    const interim: number[] = [];
    const chunks: Buffer[] = [];
    const ended = deferred<void>();
    ended.promise.catch(() => undefined);
    stream.on('headers', (headers) => interim.push(Number(headers[':status'])));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', ended.resolve).on('error', ended.reject);
    const [, , raw] = (await once(stream, 'response')) as [object, number, readonly string[]];
    const all = pairsOf(raw);
    const fields = all.filter(([name]) => !name.startsWith(':'));
    const header = headerOf(fields);
    const head = { status: Number(headerOf(all)(':status')), fields, header, interim };
    const isStream = header('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && method !== 'HEAD') stream.close();
    else await ended.promise;
    const response = { ...head, body: Buffer.concat(isStream ? [] : chunks), closes: false };
    assertWellFormed(response, { method, carrier: this });
    return response;
  }

  #open(): ClientHttp2Session {
    const open = this.#session;
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const url = `https://127.0.0.1:${this.server.port}`;
    const session = connectHttp2(url, sessionOptions);
    session.on('error', () => undefined);
    this.#session = session;
    return session;
  }
}

function pairsOf(raw: readonly string[]): readonly Field[] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [
    raw[2 * at] ?? '',
    raw[2 * at + 1] ?? '',
  ]);
}
