import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeZip } from '../../../test/import/support/make-zip.ts';
import { asRefusal, leavesOf } from './containers.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/** The contents of a file that arrives in pieces: `name: text` of each leaf, or its refusal. */
async function leaves(content: Uint8Array, name = 'x', piece = content.length): Promise<string[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += piece) yield content.subarray(at, at + piece);
  }
  const found: string[] = [];
  for await (const leaf of leavesOf({ name, bytes: pieces(), sizeBytes: content.length })) {
    if (leaf.type === 'refused') found.push(`${leaf.name}! ${shown(leaf.refusal)}`);
    else if (leaf.type === 'skipped') found.push(`${leaf.name}~ ${leaf.reason}`);
    else {
      const parts: Uint8Array[] = [];
      try {
        for await (const part of leaf.bytes) parts.push(part);
        found.push(`${leaf.name}: ${Buffer.concat(parts).toString('latin1')}`);
      } catch (error) {
        found.push(`${leaf.name}: ${shown(error)}`);
      }
    }
  }
  return found;
}

function shown(error: unknown): string {
  if (error instanceof ImportRefusal) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

const text = 'a,b\n1,2\n';
const bytes = Buffer.from(text);
const unpackFirst = 'if the file is trusted, unpack it and import the files';

test('a file that is not a container is read whole, however small its chunks', async () => {
  for (const content of ['a,b\n1,2\n', 'P', 'PK', 'PK\u0003', '\u001f', '']) {
    for (const piece of [1, 2, 3, 100]) {
      assert.deepEqual(await leaves(Buffer.from(content), 'x.gz', piece), [`x.gz: ${content}`]);
    }
  }
});

test('a container is recognised only by all its magic bytes', async () => {
  for (const magic of [
    [0x1f, 0x1f],
    [0x8b, 0x8b],
    [0x50, 0x4b, 0x03, 0x06],
    [0x50, 0x4b, 0x05, 0x04],
    [0x50, 0x4b, 0x05, 0x05],
    [0x50, 0x50, 0x03, 0x04],
    [0x4b, 0x4b, 0x03, 0x04],
  ]) {
    const content = Buffer.from([...magic, 0x41]);
    assert.deepEqual(await leaves(content), [`x: ${content.toString('latin1')}`]);
  }
});

test('a gzip yields its file without the extension, however small its chunks', async () => {
  for (const piece of [1, 3, 1_000]) {
    assert.deepEqual(await leaves(gzipSync(bytes), 'x.csv.GZ', piece), [`x.csv: ${text}`]);
  }
  assert.deepEqual(await leaves(gzipSync(bytes), 'x.gz.csv'), [`x.gz.csv: ${text}`]);
});

test('a zip yields its entries in order, without folders, and an empty zip yields nothing', async () => {
  const zip = makeZip({ 'b.csv': bytes, 'f/': new Uint8Array(0), 'f/a.csv.gz': gzipSync(bytes) });
  for (const piece of [2, 10_000]) {
    assert.deepEqual(await leaves(zip, 'x.zip', piece), [
      `x.zip/b.csv: ${text}`,
      `x.zip/f/a.csv: ${text}`,
    ]);
  }
  assert.deepEqual(await leaves(makeZip({})), []);
});

test('three nested containers are opened, and a fourth is refused', async () => {
  const [one, two] = [gzipSync(bytes), gzipSync(gzipSync(bytes))];
  assert.deepEqual(await leaves(gzipSync(two)), [`x: ${text}`]);
  const refusal = `too-large: archives are nested more than 3 deep; ${unpackFirst}`;
  assert.deepEqual(await leaves(gzipSync(gzipSync(two))), [`x! ${refusal}`]);
  assert.deepEqual(await leaves(makeZip({ a: two, b: bytes })), [`x/a: ${text}`, `x/b: ${text}`]);
  const zips = makeZip({ a: makeZip({ b: one }) });
  assert.deepEqual(await leaves(zips), [`x/a/b: ${text}`]);
  assert.deepEqual(await leaves(gzipSync(zips)), [`x/a/b! ${refusal}`]);
  const zipped = makeZip({ a: makeZip({ b: makeZip({ c: makeZip({ d: bytes }) }) }) });
  assert.deepEqual(await leaves(zipped), [`x/a/b/c! ${refusal}`]);
});

test('a truncated container is refused with the reason', async () => {
  const [zip = ''] = await leaves(makeZip({ a: bytes }).subarray(0, 40));
  assert.match(zip, /^x! unreadable: cannot be read: \S/);
  assert.deepEqual(await leaves(gzipSync(bytes).subarray(0, 15)), ['x: unexpected end of file']);
});

test('an error while reading becomes a refusal with its cause, and a refusal stays the same', () => {
  const refusal = new ImportRefusal('too-large', 'x');
  assert.equal(asRefusal(refusal), refusal);
  assert.equal(String(refusal), 'ImportRefusal: x');
  const error = new Error('broken');
  const { code, message, cause } = asRefusal(error);
  assert.deepEqual([code, message, cause], ['unreadable', 'cannot be read: broken', error]);
  assert.equal(asRefusal('text').message, 'cannot be read: text');
});

/** A zip with one entry, a given system of origin, and a given mode of the entry. */
function zipOf(system: number, mode: number): Uint8Array {
  const zip = Buffer.from(makeZip({ 'a.csv': bytes }));
  const directory = zip.indexOf('PK\u0001\u0002');
  zip.writeUInt8(system, directory + 5);
  zip.writeUInt32LE((mode << 16) >>> 0, directory + 38);
  return zip;
}

test('a symbolic link in an archive is skipped and reported, and a file of any mode is read', async () => {
  const skipped = ['x/a.csv~ it is a symbolic link'];
  const read = [`x/a.csv: ${text}`];
  for (const mode of [0o120777, 0o120000]) assert.deepEqual(await leaves(zipOf(3, mode)), skipped);
  for (const [system, mode] of [
    [0, 0o120777],
    [2, 0o120777],
    [3, 0o100644],
    [3, 0o160777],
    [3, 0o040755],
    [3, 0],
  ] as const) {
    assert.deepEqual(await leaves(zipOf(system, mode)), read, `${system} ${mode.toString(8)}`);
  }
});

test('a name in an archive may lead out of it, and is shown as it is', async () => {
  const zip = makeZip({ '../a.csv': bytes, '/etc/b.csv': bytes });
  assert.deepEqual(await leaves(zip), [`x/../a.csv: ${text}`, `x//etc/b.csv: ${text}`]);
});

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1_048_576);

test('a file that expands to more than 200 times its size is refused, unless it is small', async () => {
  const [bomb = ''] = await leaves(gzipSync(zeros(17)));
  assert.equal(bomb, `x: too-large: it expands to more than 200 times its size; ${unpackFirst}`);
  const [small = ''] = await leaves(gzipSync(zeros(16)));
  assert.equal(small.length, 'x: '.length + 16 * 1_048_576);
});

test('nothing is read after the entry at which an archive exceeds a limit', async () => {
  const zip = makeZip({ a: zeros(10), b: zeros(10), c: bytes });
  const [first = '', ...others] = await leaves(zip);
  assert.ok(first.startsWith('x/a: \0'));
  const limit = `the file expands to more than 200 times its size; ${unpackFirst}`;
  assert.deepEqual(others, [
    `x/b: too-large: ${limit}`,
    `x! too-large: nothing after the entry b was read: ${limit}`,
  ]);
});

test('a zip that must be held in memory is refused beyond its maximum size, and no more of it is read', async () => {
  const chunk = zeros(16);
  let chunks = 0;
  function* endless() {
    yield Buffer.from('PK\u0003\u0004');
    for (; chunks < 20; chunks += 1) yield chunk;
  }
  const found: string[] = [];
  for await (const leaf of leavesOf({ name: 'x', bytes: endless() as never })) {
    found.push(leaf.type === 'refused' ? shown(leaf.refusal) : leaf.type);
  }
  assert.deepEqual(found, [
    `too-large: a zip on standard input or within an archive is over 268435456 bytes; ${unpackFirst}`,
  ]);
  assert.equal(chunks, 15, 'after the sixteenth chunk, none was requested');
});

test('a source is closed when its leaf is left before its end', async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunks = 0; chunks < 1_000; chunks += 1) yield await Promise.resolve(bytes);
    } finally {
      isClosed = true;
    }
  }
  for await (const leaf of leavesOf({ name: 'x', bytes: source() })) {
    assert.equal(leaf.type, 'bytes');
  }
  assert.equal(isClosed, true);
});
