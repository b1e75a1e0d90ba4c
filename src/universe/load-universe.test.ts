import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { formatUniverseFaults } from './files/universe-fault.ts';
import { loadUniverse } from './load-universe.ts';

const defaultUniverse = resolve(import.meta.dirname, '../../universe');

/** A temporary copy of the default universe that a test may change. */
async function copyOfUniverse(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-universe-'));
  t.after(() => rm(directory, { recursive: true }));
  await cp(defaultUniverse, directory, { recursive: true });
  return directory;
}

async function edit(directory: string, file: string, change: (text: string) => string) {
  const path = join(directory, file);
  const before = await readFile(path, 'utf8');
  const after = change(before);
  assert.notEqual(after, before, 'the test changes nothing');
  await writeFile(path, after);
}

async function faultsOf(directory: string): Promise<readonly string[]> {
  const result = await loadUniverse(directory);
  return result.ok ? [] : formatUniverseFaults(result.faults).split('\n');
}

test('a missing directory is one fault, not four', async () => {
  assert.deepEqual(await faultsOf(join(defaultUniverse, 'nowhere')), [
    `${join(defaultUniverse, 'nowhere')}: cannot be read (ENOENT)`,
  ]);
});

test('a file in place of the directory is a fault', async () => {
  const path = join(defaultUniverse, 'panels.yaml');
  assert.deepEqual(await faultsOf(path), [`${path}: is not a directory`]);
});

test('each missing file is a fault, and the others are still checked', async (t) => {
  const directory = await copyOfUniverse(t);
  await unlink(join(directory, 'markets.yaml'));
  await unlink(join(directory, 'derived.yaml'));
  await edit(directory, 'instruments.csv', (text) => text.replace(',LID,', ',LIDER,'));
  const faults = await faultsOf(directory);
  assert.equal(faults.length, 3);
  assert.equal(faults[0], 'derived.yaml: is missing; a universe requires it');
  assert.match(faults[1] ?? '', /^instruments\.csv:2:8: "LIDER": panels: unknown panel/);
  assert.equal(faults[2], 'markets.yaml: is missing; a universe requires it');
});

test('without instruments, only faults that do not depend on instruments are reported', async (t) => {
  const directory = await copyOfUniverse(t);
  await unlink(join(directory, 'instruments.csv'));
  assert.deepEqual(await faultsOf(directory), [
    'instruments.csv: is missing; a universe requires it',
  ]);
});

test('a directory in place of a file cannot be read', async (t) => {
  const directory = await copyOfUniverse(t);
  await unlink(join(directory, 'panels.yaml'));
  await cp(defaultUniverse, join(directory, 'panels.yaml'), { recursive: true });
  assert.deepEqual(await faultsOf(directory), ['panels.yaml: cannot be read (EISDIR)']);
});

test('a fault of the terms rejects the universe, and a universe without terms loads', async (t) => {
  const directory = await copyOfUniverse(t);
  await edit(directory, 'bonds.csv', (text) => text.replace('AL30D AL30C', 'AL30D AL30Z'));
  assert.deepEqual(await faultsOf(directory), [
    'bonds.csv:3:2: "AL30Z": series: unknown instrument; instruments.csv has no row with this ticker',
  ]);
  await unlink(join(directory, 'bonds.csv'));
  const loaded = await loadUniverse(directory);
  assert.ok(loaded.ok);
  assert.deepEqual(loaded.universe.bondTerms, []);
});

test('a table that was saved by a spreadsheet loads as before', async (t) => {
  const directory = await copyOfUniverse(t);
  await edit(directory, 'instruments.csv', (text) => {
    // Excel in Spanish writes a byte order mark, semicolons, CRLF, and quotes only where needed.
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => line.match(/"[^"]*"|[^,]+|(?<=,)(?=,|$)/g) ?? []);
    const lines = rows.map((cells) =>
      cells.map((cell) => (cell.includes(';') ? `"${cell}"` : cell)).join(';'),
    );
    return `\uFEFF${lines.join('\r\n')}\r\n;;;;;;;\r\n`;
  });
  const before = await loadUniverse(defaultUniverse);
  const after = await loadUniverse(directory);
  assert.ok(before.ok);
  assert.ok(after.ok, after.ok ? '' : formatUniverseFaults(after.faults));
  assert.deepEqual(after.universe.instruments, before.universe.instruments);
});

test('an instrument whose derivation is deleted, or marked as direct, accepts updates from its source', async (t) => {
  const directory = await copyOfUniverse(t);
  await edit(directory, 'derived.yaml', (text) =>
    text.replace('direct: []', 'direct: [DOLAR MEP]'),
  );
  const result = await loadUniverse(directory);
  assert.ok(result.ok);
  const derived = new Set(
    result.universe.derived.map(({ instrument }) => String(instrument.ticker)),
  );
  assert.ok(!derived.has('DOLAR MEP'));
  assert.ok(derived.has('MEP-CCL'));
});

test('a file over the maximum size is refused without being read', async (t) => {
  const directory = await copyOfUniverse(t);
  await truncate(join(directory, 'derived.yaml'), 64 * 1024 * 1024 + 1);
  assert.deepEqual(await faultsOf(directory), ['derived.yaml: is larger than 64 MiB']);
});
