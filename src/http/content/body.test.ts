import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { Body, type Coding } from './body.ts';
import type { BodyParts } from '../handler/response.ts';

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

/** Text of a length that repeats itself, with a character of two bytes at its end. */
function textOf(length: number): Buffer {
  return Buffer.from(`${'{"especie":"GGAL"},'.repeat(length / 19)}Ñ`);
}

function bodyOf(bytes: Buffer, mayCompress: (coding: Coding) => boolean = () => true): Body {
  return new Body({ type: 'text/plain', parts: ['[', bytes, ']'], mayCompress });
}

function bytesOf(parts: BodyParts | undefined): Buffer {
  assert.ok(parts !== undefined);
  return Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
}

function headerOf(headers: readonly string[] | undefined, name: string): string | undefined {
  const at = headers?.indexOf(name) ?? -1;
  return at === -1 ? undefined : headers?.[at + 1];
}

for (const length of [0, 500, 5_000, 20_000, 200_000]) {
  test(`a body of ${length} bytes is the same in each coding, with its own length and tag`, async () => {
    const bytes = textOf(length);
    const body = bodyOf(bytes);
    const whole = Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]);
    const plain = body.pick(['identity']);
    assert.deepEqual(bytesOf(plain?.parts), whole);
    assert.equal(headerOf(plain?.fields.list, 'content-length'), String(whole.length));
    const tags = new Set([plain?.etag]);
    for (const coding of ['br', 'gzip', 'zstd'] as const) {
      const made = await body.make(coding);
      const compressed = bytesOf(made.parts);
      assert.deepEqual(decoders[coding](compressed), whole);
      assert.equal(headerOf(made.fields.list, 'content-length'), String(compressed.length));
      assert.equal(headerOf(made.fields.list, 'content-encoding'), coding);
      assert.equal(body.pick([coding, 'identity']), made);
      tags.add(made.etag);
    }
    assert.equal(tags.size, 4);
  });
}

/** A body that is not compressed, and its entity tag without quotes. */
function tagged(...parts: BodyParts): { readonly body: Body; readonly tag: string } {
  const body = new Body({ type: 'text/plain', parts, mayCompress: () => false });
  return { body, tag: body.pick(['identity'])?.etag.slice(1, -1) ?? '' };
}

test('a tag depends on the bytes alone, however they are cut and whether they are text or buffers', () => {
  const { tag } = tagged('a\u00e9b');
  assert.equal(tagged(Buffer.from('a\u00e9b', 'latin1')).tag, tag);
  assert.equal(tagged('a', Buffer.from([0xe9]), '', 'b').tag, tag);
  assert.notEqual(tagged('aeb').tag, tag);
  assert.notEqual(tagged('b\u00e9a').tag, tag);
});

test('a tag has 22 characters that need no escape in a header', () => {
  for (const text of ['', 'x', 'y'.repeat(10_000)]) {
    assert.match(tagged(text).tag, /^[A-Za-z0-9_-]{22}$/);
  }
});

test('RFC 9110 8.8.3.3: each content encoding has a strong tag of its own', () => {
  const { body, tag } = tagged('abc');
  assert.deepEqual(body.tagIn('identity').list, ['etag', `"${tag}"`]);
  assert.deepEqual(body.tagIn('gzip').list, ['etag', `"${tag}-gzip"`]);
  assert.deepEqual(body.tagIn('br').list, ['etag', `"${tag}-br"`]);
});

test('RFC 9110 13.1.2: If-None-Match names a tag alone, in a list, or as weak, and never a part of it', () => {
  const { body, tag } = tagged('abc');
  const own = body.tagIn('identity');
  for (const header of [`"${tag}"`, `W/"${tag}"`, `"x", "${tag}"`, `"x",W/"${tag}" , "y"`]) {
    assert.equal(body.pickStored(header, ['identity']), own, header);
  }
  for (const header of ['', tag, `"${tag.slice(0, -1)}"`, `"${tag}d"`, '"x", "y"']) {
    assert.equal(body.pickStored(header, ['identity']), undefined, header);
  }
});

test('RFC 9110 13.1.2: a lone asterisk means any representation', () => {
  const { body } = tagged('abc');
  for (const header of ['*', ' * ']) {
    assert.equal(body.pickStored(header, ['gzip', 'identity']), body.tagIn('identity'), header);
  }
  for (const header of ['"*"', '*, "x"']) {
    assert.equal(body.pickStored(header, ['gzip', 'identity']), undefined, header);
  }
});

test('a short body is not compressed for one who can do without', () => {
  const body = bodyOf(textOf(500));
  assert.equal(headerOf(body.pick(['br', 'identity'])?.fields.list, 'content-encoding'), undefined);
  assert.equal(body.pick(['br']), undefined);
});

test('nobody waits for a long body: the next best coding that is there is answered meanwhile', async () => {
  const body = bodyOf(textOf(200_000));
  const plain = body.pick(['identity']);
  assert.equal(body.pick(['br', 'gzip', 'identity']), plain);
  const gzipped = await body.make('gzip');
  const meanwhile = body.pick(['br', 'gzip', 'identity']);
  assert.ok(meanwhile === gzipped || meanwhile?.etag.includes('-br'));
  const compressed = await body.make('br');
  assert.equal(body.pick(['br', 'gzip', 'identity']), compressed);
});

test('a form is made once, however many ask for it at the same time', async () => {
  const body = bodyOf(textOf(200_000));
  const [one, other] = await Promise.all([body.make('gzip'), body.make('gzip')]);
  assert.equal(one, other);
  assert.equal(body.compressedBytes, bytesOf(one?.parts).length);
});

test('comparing tags compresses nothing', () => {
  const body = bodyOf(textOf(20_000), () => assert.fail('nothing was to be compressed'));
  const etag = body.pick(['identity'])?.etag ?? '';
  const stored = (ifNoneMatch: string, codings: readonly Coding[]): string | undefined =>
    headerOf(body.pickStored(ifNoneMatch, codings)?.list, 'etag');
  const brotliTag = etag.replace(/"$/, '-br"');
  assert.equal(stored(etag, ['br', 'gzip', 'identity']), etag);
  assert.equal(stored(`"x", W/${brotliTag}`, ['br']), brotliTag);
  assert.equal(stored('*', ['br', 'identity']), etag);
  assert.equal(stored(etag, ['br', 'gzip']), undefined);
  assert.equal(stored('"x"', ['br', 'gzip', 'identity']), undefined);
  assert.equal(body.compressedBytes, 0);
});
