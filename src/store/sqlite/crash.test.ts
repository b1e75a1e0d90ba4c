import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { valuesAt } from '../../domain/changes/version.ts';
import { al30, allDays, close, put } from '../../../test/store/close-samples.ts';
import { generationOf, tickers } from '../../../test/store/generations.ts';
import { startLineProcess } from '../../../test/store/line-process.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { databaseFileName } from './file/database-file.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { once } from '../../../test/support/wait.ts';

const starter = new URL('../../../test/store/starter.ts', import.meta.url);
const crashWriter = new URL('../../../test/store/crash-writer.ts', import.meta.url);

/** Number of times the writer is killed, each time after a different number of reports. */
const rounds = 12;

test('after a kill at any time, a store has only whole transactions, and all acknowledged ones, each with what it replaced', async (t) => {
  const directory = await temporaryDirectory(t);
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    const reports = 1 + Math.floor(Math.random() * 12);
    acknowledged = await killAfter(reports, directory, acknowledged);
    const found = await wholeGeneration(directory);
    // The last transaction may be stored but not reported: the kill came between commit and report.
    assert.ok(
      found === acknowledged || found === acknowledged + 1,
      `acknowledged ${acknowledged}, found ${found}, killed after ${reports} reports`,
    );
    acknowledged = found;
  }
  assert.ok(acknowledged > 0);
});

test('programs that start at the same time create one store and share it', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data');
  const ids = ['a', 'b', 'c', 'd'];
  const programs = ids.map((id) => startLineProcess(starter, [directory, id]));
  await Promise.all(programs.map(({ lines }) => once(lines, 'line')));
  for (const { child } of programs) child.stdin.write('go\n');
  assert.deepEqual(await Promise.all(programs.map(({ ended }) => ended)), [0, 0, 0, 0]);
  await using store = await openSqliteStore({ directory });
  const { keys, revision } = await store.keys.readAll();
  assert.deepEqual(keys.map(({ id }) => id).sort(), ids);
  assert.equal(revision, ids.length);
});

test('a process that commits continuously does not block other writers', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const { child, lines, ended } = startLineProcess(crashWriter, [directory, '5000']);
  try {
    await once(lines, 'line');
    for (let turn = 0; turn < 3; turn += 1) await put(store, al30, [close('2026-05-04', turn)]);
  } finally {
    child.kill('SIGKILL');
  }
  assert.equal(await ended, 'SIGKILL');
});

/** Runs the writer from a generation, kills it after `reports` reports, and returns the last generation. */
async function killAfter(reports: number, directory: string, done: number): Promise<number> {
  const { child, lines, ended } = startLineProcess(crashWriter, [directory, String(done + 1)]);
  let last = done;
  let count = 0;
  lines.on('line', (line) => {
    const [where, generation] = line.split(' ');
    if (where === 'done') last = Number(generation);
    if ((count += 1) === reports) child.kill('SIGKILL');
  });
  assert.equal(await ended, 'SIGKILL');
  return last;
}

/** The generation of all instruments, which must be the same. The database must be sound. */
async function wholeGeneration(directory: string): Promise<number> {
  await using store = await openSqliteStore({ directory });
  const [generation = 0, ...others] = await Promise.all(
    tickers.map(async (ticker) => {
      const { closes } = await store.history.readSeries(ticker, allDays);
      const value = closes[0] ?? 0;
      const expected = value === 0 ? [] : generationOf(value).map((row) => row.close);
      assert.deepEqual([...closes], expected);
      return value;
    }),
  );
  assert.deepEqual(new Set([generation, ...others]), new Set([generation]));
  // The first and the last instrument of a transaction.
  for (const ticker of [tickers[0], tickers.at(-1)]) {
    if (ticker === undefined) continue;
    const kept = await store.memory.readCloses(ticker, allDays);
    for (const instant of [generation, generation - 1]) {
      const known = valuesAt(kept, instant, ({ day }) => day);
      assert.deepEqual(known, instant < 1 ? [] : generationOf(instant));
    }
  }
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  const [verdict] = database.prepare('PRAGMA integrity_check').all();
  assert.deepEqual({ ...verdict }, { integrity_check: 'ok' });
  return generation;
}
