import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { claimDirectory } from '../../store/sqlite/health/claim-directory.ts';
import { databaseFileName } from '../../store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { checkStore } from './compare-stores.ts';
import { backUp, copyStore } from './copy-store.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { runExport } from '../../commands/export/export.ts';
import { runImport } from '../../commands/import/import.ts';
import { audit, list, show } from '../../commands/keys/read.ts';
import { changeKey, createKey, rotateKey } from '../../node/keys/keys.ts';
import { runCommand } from '../../../test/support/program/run-command.ts';
import { settingsTable } from '../../config/settings/settings.ts';

const universeDirectory = settingsTable.universe.fallback;

const csv = [
  'ticker,date,close,open,high,low,volume',
  'GGAL,2026-11-18,100,,,,',
  'GGAL,2026-11-19,101,,,,',
  'GGAL,not a date,1,,,,',
].join('\n');

function importOf(
  storeAt: string,
  { dryRun }: { readonly dryRun: boolean },
): ReturnType<typeof runImport> {
  const stdin = new PassThrough().end(csv);
  return runImport({ sources: ['-'], storeAt, universeDirectory, stdin, dryRun });
}

function exportOf(storeAt: string): Promise<unknown> {
  const output = new PassThrough().resume();
  return runExport({ storeAt, universeDirectory, tickers: [], output });
}

/** The commands that need a store, by name. */
const needing: Readonly<Record<string, (directory: string) => Promise<unknown>>> = {
  'keys list': (store) => runCommand(list, { settings: { store } }),
  'keys show': (store) => runCommand(show, { args: { id: 'x' }, settings: { store } }),
  'keys audit': (store) => runCommand(audit, { flags: { last: 1 }, settings: { store } }),
  'keys revoke': (directory) => changeKey(directory, 'x', { type: 'revoke' }),
  'keys rotate': (directory) => rotateKey(directory, 'x', { overlapMs: 0 }),
  export: exportOf,
};

test('without a store, no command that needs one creates anything, and each says so', async (t) => {
  const directory = join(await temporaryDirectory(t), 'typo');
  const commands = { ...needing, backup: (from: string) => backUp(from, `${directory}.backup`) };
  for (const [name, run] of Object.entries(commands)) {
    const message = new RegExp(`^${directory} contains no store\\. Check --store`);
    await assert.rejects(run(directory), { code: 'absent', message }, name);
    assert.ok(!existsSync(directory), name);
    assert.ok(!existsSync(`${directory}.backup`), name);
  }
});

test('a dry run without a store counts every close as new, and creates nothing', async (t) => {
  const directory = join(await temporaryDirectory(t), 'typo');
  const { summary, isStoreMissing, rejectsFile } = await importOf(directory, { dryRun: true });
  assert.equal(isStoreMissing, true);
  assert.equal(rejectsFile, undefined);
  const { added, changed, rejected } = summary.totals;
  assert.deepEqual({ added, changed, rejected }, { added: 2, changed: 0, rejected: 1 });
  assert.ok(!existsSync(directory));
});

test('a dry run compares with the stored closes, changes nothing, and waits for no writer', async (t) => {
  const directory = await temporaryDirectory(t);
  await importOf(directory, { dryRun: false });
  const path = join(directory, databaseFileName);
  using other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const { summary, isStoreMissing } = await importOf(directory, { dryRun: true });
  other.exec('ROLLBACK');
  assert.equal(isStoreMissing, false);
  const { added, changed, same } = summary.totals;
  assert.deepEqual({ added, changed, same }, { added: 0, changed: 0, same: 2 });
  await using store = await openSqliteStore({ directory, mode: 'read' });
  assert.equal((await store.history.changesSince(0)).revision, 1);
});

test('every command refuses a store of an older schema by name, and leaves it unchanged', async (t) => {
  const directory = await temporaryDirectory(t);
  await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
  const path = join(directory, databaseFileName);
  {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 7');
  }
  const before = await readFile(path);
  const copy = join(await temporaryDirectory(t), 'backup.db');
  const elsewhere = join(await temporaryDirectory(t), 'data');
  const commands = {
    ...needing,
    'keys create': (data: string) => createKey(data, { name: 'x', scope: 'read' }),
    import: (data: string) => importOf(data, { dryRun: false }),
    'import --dry-run': (data: string) => importOf(data, { dryRun: true }),
    backup: (data: string) => backUp(data, copy),
    'store check': checkStore,
    'store copy': (from: string) => copyStore({ from, to: elsewhere }),
  };
  for (const [name, run] of Object.entries(commands)) {
    const message = new RegExp(
      `^${directory} has schema 7 of an older version of Pizarra.*"pizarra export --with-changes" of the older version`,
    );
    await assert.rejects(run(directory), { code: 'schema-older', message }, name);
    assert.deepEqual(await readFile(path), before, name);
  }
  assert.ok(!existsSync(copy));
  // A backup of the older version is its database, in one file.
  await using place = openPlace(elsewhere);
  await assert.rejects(place.restore(path, 0), { code: 'schema-older' });
});

test('an import of which no file can be read creates no store, and the first file with rows does', async (t) => {
  const directory = await temporaryDirectory(t);
  const [storeAt, prose, missing, rows] = ['typo', 'a.txt', 'b.csv', 'c.csv'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string];
  await writeFile(prose, 'no prices');
  await writeFile(rows, csv);
  const run = (...sources: readonly string[]) =>
    runImport({ sources, storeAt, universeDirectory, stdin: new PassThrough().end() });
  const { summary } = await run(prose, missing);
  assert.deepEqual(
    summary.files.map((one) => [one.outcome, 'reason' in one ? one.reason : '']),
    [
      ['refused', 'these are not daily prices: no layout matches the first row "no prices"'],
      ['refused', 'cannot be read: no such file or directory'],
    ],
  );
  assert.ok(!existsSync(storeAt));
  assert.equal((await run(missing, rows, rows)).summary.totals.added, 2);
  assert.equal((await run(rows)).summary.totals.same, 2);
});

test('neither a backup nor an export is made of a store without data, and each says so', async (t) => {
  const directory = await temporaryDirectory(t);
  const copy = join(await temporaryDirectory(t), 'backup.db');
  await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
  await assert.rejects(backUp(directory, copy), /has no closes, quotes, .*no backup was made/);
  assert.ok(!existsSync(copy));
  await assert.rejects(exportOf(directory), /has no closes to export\.$/);
  // A key is data of an installation, as before its first price.
  await createKey(directory, { name: 'x', scope: 'read' });
  assert.equal((await backUp(directory, copy)).rows['api_keys'], 1);
  await using demonstration = await openSqliteStore({ directory: join(directory, 'demo') });
  await assert.rejects(exportOf(directory), /closes to export\. .*made up\. They are in .*demo\.$/);
  await importOf(directory, { dryRun: false });
  await exportOf(directory);
  assert.ok(demonstration);
});

test('a claim on another directory is refused, and nothing is created', async (t) => {
  using claim = claimDirectory(await temporaryDirectory(t));
  const elsewhere = await temporaryDirectory(t);
  await assert.rejects(openSqliteStore({ directory: elsewhere, claim }), /is not claimed/);
  assert.deepEqual(await readdir(elsewhere), []);
});
