import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { readPlainHead, readPlainPost } from './plain-request.ts';

const plain =
  'GET /cotizaciones?especie=GGAL HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\n\r\n';

test('a plain GET or HEAD is read: its target as sent, its headers by lower-case names', () => {
  assert.deepEqual(
    { ...readPlainHead(plain) },
    {
      method: 'GET',
      target: '/cotizaciones?especie=GGAL',
      headers: Object.assign(Object.create(null), { host: 'x', authorization: 'Bearer k' }),
    },
  );
  assert.equal(readPlainHead(plain.replace('GET', 'HEAD'))?.method, 'HEAD');
  const spaced = 'GET /a HTTP/1.1\r\nHOST:x\r\nX-Y: \t a b \t\r\nEmpty:\r\n\r\n';
  assert.deepEqual({ ...readPlainHead(spaced)?.headers }, { host: 'x', 'x-y': 'a b', empty: '' });
});

/** Heads that are left to Node's parser, each a plain GET with one thing changed. */
const others: Readonly<Record<string, string>> = {
  nothing: '',
  'a part': plain.slice(0, -1),
  'a byte more': `${plain}G`,
  'two requests': plain + plain,
  'a body that was not announced': `${plain}x`,
  'another method': plain.replace('GET', 'POST'),
  'a method in small letters': plain.replace('GET', 'get'),
  'another version': plain.replace('1.1', '1.0'),
  'an absolute form': plain.replace(' /', ' http://x/'),
  'an asterisk': plain.replace('/cotizaciones?especie=GGAL', '*'),
  'a fragment': plain.replace('GGAL', 'GGAL#a'),
  'a blank in the target': plain.replace('GGAL', 'GG AL'),
  'a byte beyond ASCII in the target': plain.replace('GGAL', 'GG\u00e9L'),
  'a byte beyond ASCII in a value': plain.replace('Host: x', 'Host: \u00e9'),
  'NUL in a value': plain.replace('Host: x', 'Host: \0'),
  'CR in a value': plain.replace('Host: x', 'Host: x\ry'),
  'LF alone': plain.replaceAll('\r\n', '\n'),
  'LF after a value': plain.replace('x\r\n', 'x\n'),
  'a folded line': plain.replace('x\r\n', 'x\r\n y\r\n'),
  'a blank before a colon': plain.replace('Host:', 'Host :'),
  'no colon': plain.replace('Host: x', 'Host x'),
  'no name': plain.replace('Host', ''),
  'no Host': plain.replace('Host: x\r\n', ''),
  'two Hosts': plain.replace('Host: x', 'Host: x\r\nhost: x'),
  'two keys': plain.replace('\r\n\r\n', '\r\nauthorization: Bearer l\r\n\r\n'),
  'an empty line first': `\r\n${plain}`,
  ...Object.fromEntries(
    [
      'Content-Length: 0',
      'content-length: 5',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Upgrade: h2c',
      'Trailer: X',
      'Connection: close',
      'Connection: keep-alive, Upgrade',
      'Proxy-Connection: close',
    ].map((line) => [line, plain.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)]),
  ),
};

for (const [what, text] of Object.entries(others)) {
  test(`it is left to Node's parser: ${what}`, () => {
    assert.equal(readPlainHead(text), undefined);
  });
}

const plainPost = 'POST /updates HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n{"a"';

test('a plain POST is read together with its body, if nothing follows', () => {
  const read = readPlainPost(Buffer.from(plainPost), 1_000);
  assert.deepEqual(
    { ...read?.head },
    {
      method: 'POST',
      target: '/updates',
      headers: Object.assign(Object.create(null), { host: 'x', 'content-length': '4' }),
    },
  );
  assert.equal(String(read?.body), '{"a"');
  const headLength = plainPost.length - 4;
  assert.notEqual(readPlainPost(Buffer.from(plainPost), headLength), undefined);
  assert.equal(readPlainPost(Buffer.from(plainPost), headLength - 1), undefined);
});

const otherPosts: Readonly<Record<string, string>> = {
  nothing: '',
  'no end of the head': plainPost.slice(0, 50),
  'a byte less': plainPost.slice(0, -1),
  'a byte more': `${plainPost}x`,
  'a request after it': plainPost + plain,
  'another method': plainPost.replace('POST', 'PUT'),
  'no length': plainPost.replace('Content-Length: 4\r\n', ''),
  'no body': plainPost.slice(0, -4).replace(': 4', ': 0'),
  'two lengths': plainPost.replace('\r\n\r\n', '\r\ncontent-length: 4\r\n\r\n'),
  'a list of lengths': plainPost.replace(': 4', ': 4, 4'),
  'a sign': plainPost.replace(': 4', ': +4'),
  'a leading zero': plainPost.replace(': 4', ': 04'),
  'a hexadecimal length': plainPost.replace(': 4', ': 0x4'),
  ...Object.fromEntries(
    ['Transfer-Encoding: chunked', 'Expect: 100-continue', 'Connection: close', 'Trailer: X'].map(
      (line) => [line, plainPost.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)],
    ),
  ),
};

for (const [what, text] of Object.entries(otherPosts)) {
  test(`a POST is left to Node's parser: ${what}`, () => {
    assert.equal(readPlainPost(Buffer.from(text, 'latin1'), 1_000), undefined);
  });
}

/** Pieces that heads are made of, and what has been hidden between them. */
const pieces = [
  [
    'GET ',
    'HEAD ',
    'POST ',
    '/',
    '/a?b=c',
    ' HTTP/1.1',
    ' HTTP/1.0',
    '\r\n',
    '\r\n',
    '\r\n',
    '\r\n\r\n',
  ],
  [
    'Host: x',
    'Host: y',
    'A:b',
    'a: c',
    ': ',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\v',
    '\u00a0',
    '\u00ff',
  ],
  ['Content-Length: 3', 'Content-Length:', 'Transfer-Encoding: chunked', 'Connection: close'],
  ['Connection: keep-alive', 'Connection:Keep-Alive,x', 'Upgrade: x', 'Expect: y', '%', '#', '"'],
  ['"\\', '|', '{', 'é', 'X-\u0001: 1', 'Cookie: a', 'Cookie: b', 'Set-Cookie: c', '__proto__: 1'],
].flat();
const heads = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), fc.nat(plain.length))
    .map(([parts, at]) => plain.slice(0, at) + parts.join('') + plain.slice(at)),
  fc
    .array(
      fc.tuple(fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,6}$/), fc.stringMatching(/^[\t -~]*$/)),
    )
    .map((lines) => lines.map(([name, value]) => `${name}:${value}\r\n`).join(''))
    .map((lines) => `GET /a HTTP/1.1\r\nHost: x\r\n${lines}\r\n`),
);

/** Reads bytes with Node's own parser, which must find one whole request in them. */
async function readWithNode(text: string): Promise<{
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly headers: object;
  readonly body: string;
}> {
  const seen: IncomingMessage[] = [];
  let failures = 0;
  const server = createServer((request) => void seen.push(request));
  server.on('clientError', () => (failures += 1));
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', connection);
  connection.push(Buffer.from(text, 'latin1'));
  await setImmediate();
  await setImmediate();
  assert.equal(failures, 0);
  assert.equal(seen.length, 1);
  const [request] = seen;
  const rawHeaders = request?.rawHeaders ?? [];
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers[String(rawHeaders[at]).toLowerCase()] = String(rawHeaders[at + 1]);
  }
  assert.equal(rawHeaders.length, 2 * Object.keys(headers).length);
  assert.equal(request?.complete, true);
  const body = (request?.read() as Buffer | null)?.toString('latin1') ?? '';
  connection.destroy();
  return { method: request?.method, target: request?.url, headers, body };
}

test('what is read here, Node’s own parser reads in the same way, and as nothing more', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(heads, async (text) => {
      const own = readPlainHead(text);
      if (own === undefined) return;
      read += 1;
      assert.deepEqual(await readWithNode(text), { ...own, body: '' });
    }),
    { numRuns: 3_000 },
  );
  assert.ok(read > 300, `only ${read} were read`);
});

const lengthLines = ['Content-Length: N', 'content-length:N', 'CONTENT-LENGTH: \t N ', 'Length: N'];
const posts = fc
  .tuple(
    fc.array(fc.constantFrom(...pieces), { maxLength: 3 }),
    fc.constantFrom(...lengthLines),
    fc.array(fc.constantFrom('a', '\r', '\n', '\0', '\u00ff', 'GET / HTTP/1.1\r\n\r\n'), {
      minLength: 1,
    }),
    fc.constantFrom(0, 0, 0, 0, -1, 1),
  )
  .map(([lines, length, parts, difference]) => {
    const body = parts.join('');
    const announced = length.replace('N', String(body.length + difference));
    const more = lines.map((line) => `${line}\r\n`).join('');
    return `POST /a HTTP/1.1\r\nHost: x\r\n${announced}\r\n${more}\r\n${body}`;
  });

test('a POST that is read here, Node’s own parser reads in the same way, and as nothing more', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(posts, async (text) => {
      const own = readPlainPost(Buffer.from(text, 'latin1'), 10_000);
      if (own === undefined) return;
      read += 1;
      const body = own.body.toString('latin1');
      assert.deepEqual(await readWithNode(text), { ...own.head, body });
    }),
    { numRuns: 3_000 },
  );
  assert.ok(read > 150, `only ${read} were read`);
});
