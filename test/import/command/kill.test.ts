import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  firstEpochDay,
  fromEpochDay,
  isoWeekday,
  lastEpochDay,
  type EpochDay,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { launcher } from '../../support/program/launcher.ts';
import { once } from '../../support/wait.ts';
import { openTestStore, storeAt } from '../../support/program/test-store.ts';

/** Number of kills: a few in every test run, many in `npm run test:kill`. */
const kills = Number(process.env['KILL_ROUNDS'] ?? 2);
const closesPerTicker = 4_000;
/** Three files with several instruments each. Every instrument is in only one file. */
const files: Readonly<Record<string, readonly string[]>> = {
  'one.csv': ['ALUA', 'BBAR', 'BYMA', 'CEPU', 'COME', 'EDN'],
  'three.csv': ['PAMP', 'SUPV', 'TECO2', 'TGNO4', 'TGSU2', 'TRAN'],
  'two.csv': ['GGAL', 'AL30', 'GD30', 'AL29', 'LOMA', 'METR'],
};

test('after a kill at any time, each file is imported wholly or not at all, and so is its memory of changes', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-kill-'));
  t.after(() => rm(directory, { recursive: true }));
  await Promise.all(
    Object.entries(files).map(([name, tickers]) =>
      writeFile(join(directory, name), contentOf(tickers)),
    ),
  );
  const started = performance.now();
  const whole = join(directory, 'data-whole');
  assert.deepEqual(await importAndKill(directory, whole), { code: 0, signal: null });
  const fullMs = performance.now() - started;
  assert.deepEqual(await filesIn(whole), Object.keys(files).sort());

  for (let round = 0; round < kills; round += 1) {
    let afterMs = Math.random() * fullMs;
    let data = join(directory, `data-${round}`);
    // A machine that is less busy than at the first import may end one before its kill.
    for (let tries = 1; ; tries += 1) {
      const { signal } = await importAndKill(directory, data, afterMs);
      if (signal === 'SIGKILL') break;
      afterMs /= 2;
      data = join(directory, `data-${round}-${tries}`);
    }
    const found = await filesIn(data);
    t.diagnostic(
      `killed after ${Math.round(afterMs)} of ${Math.round(fullMs)} ms: ${found.join(' ')}`,
    );
    // The files are imported in the order of their names, in one transaction each.
    assert.deepEqual(found, Object.keys(files).sort().slice(0, found.length));
  }
});

/** Imports a directory in a separate process, and kills it after `afterMs` if given. */
async function importAndKill(
  source: string,
  data: string,
  afterMs?: number,
): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
  const sources = Object.keys(files).map((name) => join(source, name));
  const child = spawn(
    process.execPath,
    [launcher, 'import', ...sources.sort(), '--store', storeAt(data)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  if (afterMs !== undefined) {
    await Promise.race([delay(afterMs), exited]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  return { code, signal };
}

/** The files whose closes are all stored. Fails when only a part of a file is. */
async function filesIn(data: string): Promise<readonly string[]> {
  await using store = await openTestStore(data);
  const found: string[] = [];
  for (const [name, tickers] of Object.entries(files)) {
    const counts = new Set<number>();
    for (const ticker of tickers) {
      const range = { from: firstEpochDay, to: lastEpochDay };
      const { days } = await store.history.readSeries(ticker as Ticker, range);
      const versions = await store.memory.readCloses(ticker as Ticker, range);
      assert.equal(versions.length, days.length, `the memory of ${ticker}`);
      assert.ok(versions.every(({ stored }) => stored.origin === 'import' && stored.at > 0));
      counts.add(days.length);
    }
    assert.equal(counts.size, 1, `${name} is stored in part: ${[...counts].join(', ')}`);
    if (counts.has(closesPerTicker)) found.push(name);
    else assert.ok(counts.has(0), `${name} is stored in part`);
  }
  return found.sort();
}

function contentOf(tickers: readonly string[]): string {
  const lines = ['especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp'];
  for (const ticker of tickers) {
    let count = 0;
    for (let day = 12_000; count < closesPerTicker; day += 1) {
      if (isoWeekday(day as EpochDay) > 5) continue;
      count += 1;
      lines.push(`${ticker},${fromEpochDay(day as EpochDay)},10,11,9,${10 + (day % 7) / 10},5,0`);
    }
  }
  return `${lines.join('\n')}\n`;
}
