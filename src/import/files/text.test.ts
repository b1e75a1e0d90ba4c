import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeText, encodingBytes } from './text.ts';

async function decode(bytes: Uint8Array, chunkBytes = bytes.length): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  let text = '';
  for await (const part of decodeText(chunks())) text += part;
  return text;
}

/**
 * As long as the start that the encoding is detected from, so that later text is split as tested.
 */
const start = 'x'.repeat(encodingBytes);
const text = `${start}máximo,€\nñandú,"𝄞"\n`;

test('UTF-8 is decoded with and without a byte order mark, however it is split', async () => {
  const bytes = Buffer.from(text);
  for (const chunkBytes of [1, 2, 3, 5, bytes.length]) {
    assert.equal(await decode(bytes, chunkBytes), text);
    assert.equal(await decode(Buffer.from(`\ufeff${text}`), chunkBytes), text);
  }
});

test('UTF-16 in both byte orders is decoded by its byte order mark', async () => {
  for (const long of [text, 'a,b\n']) {
    const little = Buffer.from(`\ufeff${long}`, 'utf16le');
    assert.equal(await decode(little, 3), long);
    assert.equal(await decode(Buffer.from(little).swap16(), 7), long);
  }
});

test('UTF-16 in both byte orders is decoded without a byte order mark, however it is split', async () => {
  for (const long of [`fecha;máximo;cierre – €\n${text}`, 'Fecha;Último\n1;2\n', 'abcd']) {
    const little = Buffer.from(long, 'utf16le');
    for (const chunkBytes of [1, 3, 511, little.length]) {
      assert.equal(await decode(little, chunkBytes), long);
      assert.equal(await decode(Buffer.from(little).swap16(), chunkBytes), long);
    }
  }
});

test('an 8-bit text with zeros in it is not UTF-16', async () => {
  for (const long of ['a\u0000b', 'date,close\n2024-01-02,\u00001', 'x']) {
    assert.equal(await decode(Buffer.from(long)), long);
  }
});

test('a text that is not UTF-8 is windows-1252 from the first invalid byte on', async () => {
  for (const before of ['', start]) {
    const bytes = Buffer.from(`${before}m\xe1ximo;\x80\xf1`, 'latin1');
    for (const chunkBytes of [1, 2, bytes.length]) {
      assert.equal(await decode(bytes, chunkBytes), `${before}máximo;€ñ`);
    }
  }
});

test('CRLF, LF and CR all become LF, however they are split', async () => {
  for (const chunkBytes of [1, 2, 3, 100]) {
    for (const before of ['', start]) {
      const bytes = Buffer.from(`${before}a\r\nb\rc\nd\r`);
      assert.equal(await decode(bytes, chunkBytes), `${before}a\nb\nc\nd\n`);
    }
  }
});

test('any text in UTF-8 reads back, however it is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }).filter((one) => !/[\r\ufeff\0]/.test(one)),
      fc.integer({ min: 1, max: 9 }),
      async (one, chunkBytes) => {
        const expected = one.toWellFormed();
        assert.equal(await decode(Buffer.from(one), chunkBytes), expected);
        assert.equal(await decode(Buffer.from(start + one), chunkBytes), start + expected);
      },
    ),
  );
});

test('a character of any length is decoded whole, however its bytes are split', async () => {
  // The first and the last character of each length, and those next to a change of the first byte.
  for (const one of ['\u0080', '\u07ff', '\u0800', '\uff12', '\uffff', '\u{10000}', '\u{10ffff}']) {
    const bytes = Buffer.from(`a${one}b`);
    for (let chunkBytes = 1; chunkBytes <= bytes.length; chunkBytes += 1) {
      assert.equal(await decode(bytes, chunkBytes), `a${one}b`, `U+${one.codePointAt(0)}`);
    }
    // Truncated at the end of the file, it is not valid UTF-8.
    const cut = await decode(bytes.subarray(0, bytes.length - 2));
    assert.equal(cut.includes(one), false);
    assert.equal(cut.length, bytes.length - 2, 'each byte is a character of windows-1252');
  }
});

test('a byte order mark is removed at the start of a file and nowhere else', async () => {
  for (const chunkBytes of [encodingBytes, encodingBytes + 3, 5_000]) {
    const bytes = Buffer.from(`${start}\ufeffb\ufeff`);
    assert.equal(await decode(bytes, chunkBytes), `${start}\ufeffb\ufeff`);
  }
});
