import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import {
  archiveEntriesMax,
  expansionRatioMax,
  nestingMax,
  ratioFreeBytes,
} from '../../src/import/containers.ts';
import { jsonCharsMax } from '../../src/import/json.ts';
import type { FileResult } from '../../src/import/import-summary.ts';
import { makeUniverse } from '../support/make-universe.ts';
import { ImportRig } from './import-into.ts';
import { makeZip } from './make-zip.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'ALUA' }]);
const empty = new Uint8Array(0);
const close = Buffer.from('Date,Close\n2026-11-16,1.5\n');

function outcomes(files: readonly FileResult[]): readonly string[] {
  return files.map((file) => (file.outcome === 'refused' ? file.code : file.outcome));
}

test('each entry of a zip is a file, in folders and compressed again too', async () => {
  await using rig = await ImportRig.open();
  const inner = makeZip({ 'deep/ALUA.csv': close });
  const zip = makeZip({ 'a/GGAL.csv.gz': gzipSync(close), 'b.zip': inner, 'c/NADA.csv': close });
  const path = await rig.file('x.zip', zip);
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'imported', 'unknown-ticker']);
  assert.deepEqual(
    summary.files.map(({ file }) => file.slice(path.length)),
    ['/a/GGAL.csv', '/b.zip/deep/ALUA.csv', '/c/NADA.csv'],
  );
});

test('a container is known by its first bytes, whatever it is called', async () => {
  await using rig = await ImportRig.open();
  const gzip = await rig.file('GGAL.csv', gzipSync(close));
  const zip = await rig.file('data.txt', makeZip({ 'ALUA.csv': close }));
  const plain = await rig.file('GGAL.gz', close);
  const { summary } = await rig.import([gzip, zip, plain], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'imported', 'imported']);
});

test('a zip on standard input is read', async () => {
  await using rig = await ImportRig.open();
  const stdin = makeZip({ 'GGAL.csv': close });
  const { summary } = await rig.import(['-'], { universe, stdin });
  assert.deepEqual(outcomes(summary.files), ['imported']);
});

test('a decompression bomb is refused, and nothing of it is stored', async () => {
  await using rig = await ImportRig.open();
  const rows = Buffer.alloc(ratioFreeBytes * 2, '2026-11-16,1.5\n');
  const content = Buffer.concat([Buffer.from('Date,Close\n'), rows]);
  const gzip = gzipSync(content);
  assert.ok(content.length > gzip.length * expansionRatioMax, 'it is a bomb');
  const paths = [
    await rig.file('GGAL.csv.gz', gzip),
    await rig.file('x.zip', makeZip({ 'GGAL.csv': content })),
  ];
  const { summary } = await rig.import(paths, { universe });
  assert.deepEqual(outcomes(summary.files), ['too-large', 'too-large']);
  assert.equal((await rig.closes('GGAL')).size, 0);
});

test('an archive of too many entries is refused', async () => {
  await using rig = await ImportRig.open();
  const folders = Array.from({ length: archiveEntriesMax + 1 }, (_, at) => [`${at}/`, empty]);
  const path = await rig.file('x.zip', makeZip(Object.fromEntries(folders)));
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(outcomes(summary.files), ['too-large']);
});

test('archives within archives are opened to a limit', async () => {
  await using rig = await ImportRig.open();
  const nested = (depth: number): Uint8Array => (depth === 0 ? close : gzipSync(nested(depth - 1)));
  const allowed = await rig.file('GGAL.csv', nested(nestingMax));
  const refused = await rig.file('ALUA.csv', nested(nestingMax + 1));
  const { summary } = await rig.import([allowed, refused], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'too-large']);
});

test('a damaged or cut archive is refused, and the files after it are imported', async () => {
  await using rig = await ImportRig.open();
  const many = Buffer.from(`Date,Close\n${'2026-11-16,1.5\n'.repeat(1000)}`);
  const gzip = gzipSync(many);
  const paths = [
    await rig.file('1/GGAL.csv.gz', gzip.subarray(0, gzip.length - 20)),
    await rig.file('2.zip', makeZip({ 'GGAL.csv': many }).subarray(0, 60)),
    await rig.file('ALUA.csv', close),
  ];
  const { summary } = await rig.import(paths, { universe });
  assert.deepEqual(outcomes(summary.files), ['unreadable', 'unreadable', 'imported']);
  assert.equal((await rig.closes('GGAL')).size, 0);
});

test('a JSON document over its limit is refused', async () => {
  await using rig = await ImportRig.open();
  const path = join(rig.directory, 'GGAL.json');
  const row = '{"date":"2026-11-16","close":1.5},';
  function* text(): Generator<string> {
    yield '[';
    for (let length = 0; length < jsonCharsMax; length += row.length * 10_000) {
      yield row.repeat(10_000);
    }
  }
  // Random enough to be no bomb: not compressed at all.
  await pipeline(Readable.from(text()), createGzip({ level: 0 }), createWriteStream(path));
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(outcomes(summary.files), ['too-large']);
});
