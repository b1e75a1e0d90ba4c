import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nestingMax } from '../../../src/import/files/containers.ts';
import {
  archiveEntriesMax,
  expansionRatioMax,
  ratioFreeBytes,
} from '../../../src/import/files/expansion-budget.ts';
import type { FileResult } from '../../../src/import/reports/import-summary.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';
import { makeZip } from '../support/make-zip.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'ALUA' }]);
const empty = new Uint8Array(0);
const close = Buffer.from('Date,Close\n2026-11-16,1.5\n');

function outcomes(files: readonly FileResult[]): readonly string[] {
  return files.map((file) => (file.outcome === 'refused' ? file.code : file.outcome));
}

function reasonOf(file: FileResult | undefined): string {
  assert.ok(file?.outcome === 'refused');
  return file.reason;
}

/** Marks the first entry of an archive as a symbolic link, as Info-ZIP does on Unix with `-y`. */
function makeSymbolicLink(zip: Uint8Array): void {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.length);
  const at = bytes.indexOf('PK\u0001\u0002');
  bytes.writeUInt8(3, at + 5);
  bytes.writeUInt32LE(0o120777 * 0x1_00_00, at + 38);
}

test('each entry of a zip is imported as a file, also in folders and when it is compressed itself', async () => {
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

test('a container is recognised by its first bytes, with any name', async () => {
  await using rig = await ImportRig.open();
  const gzip = await rig.file('GGAL.csv', gzipSync(close));
  const zip = await rig.file('data.txt', makeZip({ 'ALUA.csv': close }));
  const plain = await rig.file('GGAL.gz', close);
  const { summary } = await rig.import([gzip, zip, plain], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'imported', 'imported']);
});

test('a zip on standard input is imported', async () => {
  await using rig = await ImportRig.open();
  const stdin = makeZip({ 'GGAL.csv': close });
  const { summary } = await rig.import(['-'], { universe, stdin });
  assert.deepEqual(outcomes(summary.files), ['imported']);
});

test('a decompression bomb is refused, and no close of it is stored', async () => {
  await using rig = await ImportRig.open();
  // Long rows, because every row up to the limit is read.
  const rows = Buffer.alloc(ratioFreeBytes, `2026-11-16,1.5,${' '.repeat(1_000)}\n`);
  const content = Buffer.concat([Buffer.from('Date,Close,Note\n'), rows]);
  const gzip = gzipSync(content);
  assert.ok(content.length > gzip.length * expansionRatioMax, 'the file expands beyond the limit');
  const paths = [
    await rig.file('GGAL.csv.gz', gzip),
    await rig.file('x.zip', makeZip({ 'GGAL.csv': content })),
  ];
  const { summary } = await rig.import(paths, { universe });
  assert.deepEqual(outcomes(summary.files), ['too-large', 'too-large']);
  assert.equal((await rig.closes('GGAL')).size, 0);
});

test('an archive with too many entries is refused', async () => {
  await using rig = await ImportRig.open();
  const folders = Array.from({ length: archiveEntriesMax + 1 }, (_, at) => [`${at}/`, empty]);
  const path = await rig.file('x.zip', makeZip(Object.fromEntries(folders)));
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(outcomes(summary.files), ['too-large']);
});

test('the entries of nested archives count towards one limit', async () => {
  await using rig = await ImportRig.open();
  const half = makeZip(
    Object.fromEntries(Array.from({ length: archiveEntriesMax / 2 }, (_, at) => [`${at}/`, empty])),
  );
  const path = await rig.file(
    'x.zip',
    makeZip({ 'a.zip': half, 'b.zip': half, 'GGAL.csv': close }),
  );
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(
    summary.files.map(({ file }) => file.slice(path.length)),
    ['/b.zip', ''],
  );
  assert.match(
    reasonOf(summary.files[1]),
    /^nothing after the entry b\.zip was read: .*10000 entries/,
  );
  assert.equal((await rig.closes('GGAL')).size, 0);
});

test('the expanded size of an archive has one limit for all entries, beyond which it is not read', async () => {
  await using rig = await ImportRig.open();
  // Each entry and each nested archive is below the size to which no ratio applies.
  const blank = Buffer.alloc(ratioFreeBytes / 4, '\n');
  const inner = makeZip({ '1.csv': blank, '2.csv': blank, '3.csv': blank });
  const path = await rig.file(
    'x.zip',
    makeZip({ 'GGAL.csv': close, 'a.zip': inner, 'b.zip': inner, 'ALUA.csv': close }),
  );
  const { summary } = await rig.import([path], { universe });
  const last = summary.files.at(-1);
  assert.deepEqual(outcomes(summary.files).slice(0, 4), [
    'imported',
    ...Array.from({ length: 3 }, () => 'not-prices'),
  ]);
  assert.equal(last?.file, path);
  assert.match(
    reasonOf(last),
    /^nothing after the entry b\.zip was read: .*200 times its size; .*unpack/,
  );
  assert.equal((await rig.closes('GGAL')).size, 1, 'the entries before the limit are imported');
  assert.equal((await rig.closes('ALUA')).size, 0);
});

test('an entry whose name is a path outside the archive is imported, and no file is written', async () => {
  await using rig = await ImportRig.open();
  const zip = makeZip({ '../../GGAL.csv': close, '/tmp/ALUA.csv': close, 'C:\\GGAL.csv': close });
  const path = await rig.file('deep/x.zip', zip);
  const before = await readdir(rig.directory, { recursive: true });
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'imported', 'imported']);
  assert.deepEqual(await readdir(rig.directory, { recursive: true }), before);
});

test('an entry that is a symbolic link is left out and reported', async () => {
  await using rig = await ImportRig.open();
  const zip = makeZip({ 'GGAL.csv': Buffer.from('/etc/passwd'), 'ALUA.csv': close });
  makeSymbolicLink(zip);
  const { summary } = await rig.import([await rig.file('x.zip', zip)], { universe });
  assert.deepEqual(outcomes(summary.files), ['skipped', 'imported']);
});

test('nested archives are opened up to a limit of depth', async () => {
  await using rig = await ImportRig.open();
  const nested = (depth: number): Uint8Array => (depth === 0 ? close : gzipSync(nested(depth - 1)));
  const allowed = await rig.file('GGAL.csv', nested(nestingMax));
  const refused = await rig.file('ALUA.csv', nested(nestingMax + 1));
  const { summary } = await rig.import([allowed, refused], { universe });
  assert.deepEqual(outcomes(summary.files), ['imported', 'too-large']);
});

test('a damaged or truncated archive is refused, and the files after it are imported', async () => {
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
