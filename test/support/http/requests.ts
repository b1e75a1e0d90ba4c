import { METHODS } from 'node:http';

import * as fc from 'fast-check';

import { parameterNames, pathsExcept } from './contract-paths.ts';

/** Bytes to send over one connection, and the intended number of requests. */
export interface FuzzCase {
  readonly bytes: Buffer;
  readonly requests: number;
  /** Whether the bytes contain a valid key, so that a response may have content that needs one. */
  readonly mayOpen: boolean;
}

/** Requests that a pipelining client sends at once. */
const pipelinedMax = 40;

const name = fc.constantFrom(
  ...parameterNames,
  'formato',
  'decimal',
  'ESPECIE',
  '',
  '__proto__',
  'especie[]',
);
const value = fc.oneof(
  fc.constantFrom(
    'GGAL',
    'al30',
    'DOLAR+MEP',
    'LID',
    'lid',
    'BON',
    'IND',
    '2024-02-29',
    '2024-02-30',
  ),
  fc.constantFrom('csv', 'json', 'coma', '2026', 'gal', 'precioPor'),
  fc.constantFrom('', '%', '%zz', '%00', '%C3%28', ',,', '%2C', '+', '=', '%F0%9F%92%B8', '..%2F'),
  fc.constantFrom('__proto__', 'constructor', '0', '-1', '1e999', 'NaN', "'--", '${x}', '{}'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent),
);
const path = fc.constantFrom(
  ...pathsExcept({ '/cotizaciones/stream': 'its response does not end' }).map((one) => one.path),
  '/',
  '/cotizaciones/',
  '//cotizaciones',
  '/cotizaciones/%2e%2e/healthz',
  '/%63otizaciones',
  '/nada',
  '*',
  'example.com:443',
  'http://other.example/cotizaciones',
);
const query = fc
  .array(fc.tuple(name, fc.array(value, { maxLength: 3 })), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, values]) => `${key}=${values.join(',')}`).join('&'));
const header = fc.oneof(
  fc.constantFrom(
    'Accept: text/csv',
    'Accept: */*;q=0',
    'Accept-Encoding: gzip, br;q=0.5, *;q=0',
    'Accept-Encoding: identity;q=0, *;q=0',
    'If-None-Match: *',
    'If-None-Match: "x", W/"y",',
    'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT',
    'If-Modified-Since: never',
    'Range: bytes=0-,1-2,-5',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Connection: Upgrade, HTTP2-Settings',
    'Origin: null',
    'Forwarded: for=1.2.3.4;proto=https',
    'X-Forwarded-For: 1.2.3.4',
    'Content-Length: 0',
    'Cookie: a=b',
  ),
  fc
    .tuple(
      fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
      fc.stringMatching(/^[ -~]{0,30}$/),
    )
    .filter(([key]) => !/^(?:host|content-length|transfer-encoding|connection)$/i.test(key))
    .map((pair) => pair.join(': ')),
);
const key = fc.constantFrom('right', 'right', 'right', 'wrong', 'none', 'basic');
/** Methods of other protocols that Node's parser knows, and unknown tokens. */
const otherMethods =
  'DESCRIBE ANNOUNCE SETUP PLAY PAUSE TEARDOWN GET_PARAMETER SET_PARAMETER REDIRECT RECORD FLUSH PRI FOO get GETT'.split(
    ' ',
  );
const method = fc.oneof(
  { arbitrary: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD'), weight: 12 },
  { arbitrary: fc.constantFrom(...METHODS, ...otherMethods), weight: 4 },
  { arbitrary: fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/), weight: 1 },
);
const version = fc.oneof(
  { arbitrary: fc.constant(' HTTP/1.1'), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      ' HTTP/1.0',
      ' HTTP/0.9',
      ' HTTP/2.0',
      ' HTTP/3.0',
      ' HTTP/1.2',
      ' HTTP/1',
      ' http/1.1',
      ' RTSP/1.0',
      ' RTSP/2.0',
      ' ICE/1.0',
      ' SIP/2.0',
      '',
    ),
    weight: 1,
  },
);

/** A request before it is written for a carrier. */
export interface Request {
  readonly method: string;
  /** The version in the request line. */
  readonly version: string;
  readonly path: string;
  readonly query: string;
  readonly key: string;
  readonly headers: readonly string[];
}

/** Requests. Most of them are almost valid, because other ones are refused early. */
export const request: fc.Arbitrary<Request> = fc.record({
  method,
  version,
  path,
  query,
  key,
  headers: fc.array(header, { maxLength: 4 }),
});

/** One change of a byte string, at a position that is a fraction of its length. */
interface Mutation {
  readonly kind: 'flip' | 'insert' | 'delete' | 'repeat' | 'token' | 'cut';
  readonly at: number;
  readonly length: number;
  readonly byte: number;
  readonly token: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'insert', 'delete', 'repeat', 'token', 'token', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  byte: fc.integer({ min: 0, max: 255 }),
  token: fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    '%00',
    '%',
    '\u00ff\u00fe',
    'HTTP/1.1',
    'HTTP/2.0',
    'Host: x\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Connection: close\r\n',
    'http://x',
    '\u0016\u0003\u0001',
    'a'.repeat(20_000),
    'X: y\r\n'.repeat(3_000),
  ),
});

/** A well-formed key that was never issued. No mutation turns it into a valid one. */
const unknownKey = 'pz_0000000000000000000000000000001f6Nwi';

/** The value of the Authorization header of a request; undefined for none. */
export function authorizationOf({ key: whose }: Request, apiKey: string): string | undefined {
  if (whose === 'right') return `Bearer ${apiKey}`;
  if (whose === 'wrong') return `Bearer ${unknownKey}`;
  return whose === 'basic' ? 'Basic Og==' : undefined;
}

function isOpener(one: Request): boolean {
  return one.key === 'right';
}

/** Bytes to send: HTTP/1.0, HTTP/1.1, and bytes that are neither. */
export function fuzzCases(apiKey: string): fc.Arbitrary<FuzzCase> {
  const render = (one: Request): string => {
    const lines = one.headers.map((line) => `${line}\r\n`).join('');
    const credentials = authorizationOf(one, apiKey);
    const authorization = credentials === undefined ? '' : `Authorization: ${credentials}\r\n`;
    return `${one.method} ${one.path}?${one.query}${one.version}\r\nHost: x\r\n${authorization}${lines}\r\n`;
  };
  const pipelined = fc
    .array(request, { minLength: pipelinedMax / 2, maxLength: pipelinedMax })
    .map((all) => ({
      bytes: Buffer.from(all.map(render).join(''), 'latin1'),
      requests: all.length,
      mayOpen: all.some(isOpener),
    }));
  const mutated = fc
    .tuple(request, fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([one, mutations]) => ({
      bytes: mutations.reduce(mutate, Buffer.from(render(one), 'latin1')),
      requests: 1,
      mayOpen: isOpener(one),
    }));
  const rubbish = fc
    .uint8Array({ minLength: 1, maxLength: 200 })
    .map((bytes) => ({ bytes: Buffer.from(bytes), requests: 1, mayOpen: false }));
  return fc.oneof(
    { arbitrary: mutated, weight: 40 },
    { arbitrary: pipelined, weight: 2 },
    { arbitrary: rubbish, weight: 1 },
  );
}

function mutate(bytes: Buffer, { kind, at, length, byte, token }: Mutation): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  const rest = after.subarray(length);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, byte), after]);
    case 'delete':
      return Buffer.concat([before, rest]);
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 'token':
      return Buffer.concat([before, Buffer.from(token, 'latin1'), after]);
    case 'cut':
      return Buffer.from(before);
  }
}
