import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeZip } from '../../test/import/make-zip.ts';
import { asRefusal, leavesOf } from './containers.ts';
import { ImportRefusal } from './import-refusal.ts';

/** The contents of a file that arrives in pieces: `name: text` of each leaf, or its refusal. */
async function leaves(content: Uint8Array, name = 'x', piece = content.length): Promise<string[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += piece) yield content.subarray(at, at + piece);
  }
  const found: string[] = [];
  for await (const leaf of leavesOf({ name, bytes: pieces(), sizeBytes: content.length })) {
    if (leaf.type === 'refused') found.push(`${leaf.name}! ${leaf.refusal.message}`);
    else if (leaf.type === 'skipped') found.push(`${leaf.name}~ ${leaf.reason}`);
    else {
      const parts: Uint8Array[] = [];
      for await (const part of leaf.bytes) parts.push(part);
      found.push(`${leaf.name}: ${Buffer.concat(parts).toString('latin1')}`);
    }
  }
  return found;
}

const text = 'a,b\n1,2\n';
const bytes = Buffer.from(text);

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
  const refusal =
    'archives are nested more than 3 deep; if the file is trusted, unpack it and import the files';
  assert.deepEqual(await leaves(gzipSync(gzipSync(two))), [`x! ${refusal}`]);
  assert.deepEqual(await leaves(makeZip({ a: two, b: bytes })), [`x/a: ${text}`, `x/b: ${text}`]);
  const zips = makeZip({ a: makeZip({ b: one }) });
  assert.deepEqual(await leaves(zips), [`x/a/b: ${text}`]);
  assert.deepEqual(await leaves(gzipSync(zips)), [`x/a/b! ${refusal}`]);
});

test('a truncated container is refused with the reason', async () => {
  const [zip = ''] = await leaves(makeZip({ a: bytes }).subarray(0, 40));
  assert.match(zip, /^x! cannot be read: \S/);
  await assert.rejects(leaves(gzipSync(bytes).subarray(0, 15)), /unexpected end of file/);
});

test('an error while reading becomes a refusal with its cause, and a refusal stays the same', () => {
  const refusal = new ImportRefusal('too-large', 'x');
  assert.equal(asRefusal(refusal), refusal);
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
