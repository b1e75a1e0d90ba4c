import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { backUpSqliteStore } from '../../src/store/sqlite/health/backup.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';
import { runPizarra } from '../support/program/program.ts';
import { pushedTickers } from './flat-universe.ts';
import { Installation } from './installation.ts';
import { Lane } from './lane.ts';
import { isLongRun } from './long-run.ts';
import { testStamp } from '../support/market/test-change.ts';

const pageBytes = 4096;

/** Number of commits. In the long run they suffice for a checkpoint of the log, and continue after it. */
const batches = isLongRun ? 150 : 20;

describe('a data directory that was damaged after a crash', () => {
  let installation: Installation;
  let sound: string;
  let backup: string;
  const lane = new Lane(pushedTickers);

  before(async () => {
    installation = await Installation.make();
    sound = join(installation.directory, 'sound');
    backup = join(installation.directory, 'backup.db');
    await using service = await installation.start();
    for (let batch = 0; batch < batches; batch += 1) {
      await lane.pushTo(service);
    }
    await backUpSqliteStore({ directory: installation.data, file: backup });
    await service.kill();
    await cp(installation.data, sound, { recursive: true });
  });
  after(() => installation[Symbol.asyncDispose]());

  /** Restores the sound state, and damages it. */
  async function damage(work: (database: string, log: string) => Promise<void>): Promise<void> {
    await rm(installation.data, { recursive: true });
    await cp(sound, installation.data, { recursive: true });
    const database = join(installation.data, databaseFileName);
    await work(database, `${database}-wal`);
  }

  const lossOfCommits: Readonly<
    Record<string, (database: string, log: string) => Promise<unknown>>
  > = {
    'whose log was removed': (_, log) => rm(log),
    'whose log was emptied': (_, log) => truncate(log, 0),
    'whose log was truncated in the middle': async (_, log) =>
      truncate(log, await firstFrameEnd(log)),
    'whose log has a wrong byte near its beginning': (_, log) => overwrite(log, 2_000, 1),
    'whose database was removed': (database) => rm(database),
    'whose database was emptied': (database) => truncate(database, 0),
  };
  for (const [index, [what, work]] of Object.entries(lossOfCommits).entries()) {
    // Each start takes a second, which is too long for the quick run.
    const skip = !isLongRun && index % 2 === 1 && 'only in the long run';
    test(
      `a data directory ${what} is refused with instructions to restore, and its files are not changed`,
      { skip },
      async () => {
        await damage(async (...paths) => void (await work(...paths)));
        const left = await contentOf(installation.data);
        const { code, stderr } = await installation.startInVain();
        assert.equal(code, 1, stderr);
        assert.match(stderr, /^pizarra: .*damaged.*pizarra restore FILE/);
        assert.deepEqual(await contentOf(installation.data), left);
      },
    );
  }

  test('following the instructions of the refusal restores the whole backup', async () => {
    await damage((_, log) => rm(log));
    await rename(installation.data, join(installation.directory, 'moved-away'));
    const restored = await runPizarra(['restore', backup, '--store', installation.data]);
    assert.equal(restored.code, 0, restored.stderr);
    await using service = await installation.start();
    await lane.check(service);
  });
});

test('an overwritten page is detected within seconds, and no data of it is served', async () => {
  await using installation = await Installation.make();
  const [ticker = '', other = ''] = pushedTickers;
  await storeHistory(installation.data, [ticker, other]);
  const path = join(installation.data, databaseFileName);
  await overwrite(path, await leafOf(path, days / 2), pageBytes);

  await using service = await installation.start();
  await service.becomes('known to be damaged', async () => {
    const { status, body } = await service.readiness();
    return status === 503 && body.includes('the database is damaged');
  });
  assert.equal(await service.metric('pizarra_store_damaged'), 1);
  assert.equal(service.logged('pizarra restore FILE').length, 1);
  const target = `/historicos?especie=${ticker}&desde=1970-01-01&hasta=2100-01-01`;
  assert.equal((await service.get(target)).status, 500);
  assert.equal((await service.quotes()).get(ticker)?.ultimo, closeOfDay(days - 1));
});

test('one changed byte in the key of a close: its history is refused at the first request, then every history, in every process', async () => {
  await using installation = await Installation.make();
  const [ticker = '', other = ''] = pushedTickers;
  await storeHistory(installation.data, [ticker, other]);
  const path = join(installation.data, databaseFileName);
  const leaf = await leafOf(path, days / 2);
  const close = Buffer.alloc(8);
  const bytes = await readFile(path);
  // The bytes before a close are its day, the end of the key.
  let at = -1;
  for (let day = 0; at < 0 && day < days; day += 1) {
    close.writeDoubleBE(closeOfDay(day));
    at = bytes.subarray(leaf, leaf + pageBytes).indexOf(close);
  }
  assert.ok(at > 0, 'the leaf contains a close');
  await overwrite(path, leaf + at - 2, 1);

  const exported = await runPizarra(['export', ticker, other, ...installation.args]);
  assert.equal(exported.code, 1, exported.stderr);
  assert.match(exported.stderr, /damaged/);

  await using service = await installation.start({ args: ['--workers', '2'] });
  // Each request is a new connection, so both processes answer some of them.
  for (let request = 0; request < 10; request += 1) {
    const [broken, sound] = await Promise.all([
      service.get(historyOf(ticker)),
      service.get(historyOf(other)),
    ]);
    assert.ok([broken, sound].some(({ status }) => status === 500));
    for (const { status, body } of [broken, sound]) {
      if (status === 200) assert.equal(JSON.parse(body).length, days);
    }
  }
  await service.becomes('refusing every history', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, request) =>
        service.get(historyOf(request % 2 === 0 ? ticker : other)),
      ),
    );
    return responses.every(({ status }) => status === 500);
  });
  await service.becomes(
    'known to be damaged',
    async () => (await service.readiness()).status === 503,
  );
  assert.equal(service.logged('pizarra restore FILE').length, 1);
});

function historyOf(ticker: string): string {
  return `/historicos?especie=${ticker}&desde=1970-01-01&hasta=2100-01-01`;
}

/** Number of days in a series, which then has several pages. */
const days = 2_000;

/** A close that is different for each day. */
function closeOfDay(day: number): number {
  return 1_000.5 + day;
}

async function storeHistory(directory: string, tickers: readonly string[]): Promise<void> {
  await using store = await openSqliteStore({ directory });
  const first = toEpochDay('1991-01-01' as PlainDate);
  const closes = Array.from({ length: days }, (_, day) => ({
    day: (first + day) as EpochDay,
    close: closeOfDay(day),
    volume: null,
  }));
  await store.history.transaction(async (transaction) => {
    for (const ticker of tickers) await transaction.put(ticker as Ticker, closes);
  }, testStamp);
}

/** The first byte of a leaf of a table without row ids. The pages above the leaves contain rows too. */
const leafType = 0x0a;

/** The offset of the leaf that contains a close of this day or one soon after it. */
async function leafOf(path: string, day: number): Promise<number> {
  const bytes = await readFile(path);
  for (const offset of [0, 1, 2]) {
    const written = Buffer.alloc(8);
    written.writeDoubleBE(closeOfDay(day + offset));
    const at = bytes.indexOf(written);
    assert.ok(at >= 0, `no page contains the close of the day ${day + offset}`);
    const page = Math.floor(at / pageBytes) * pageBytes;
    if (bytes[page] === leafType) return page;
  }
  return assert.fail('no close is in a leaf');
}

/** The offset at which the pages of the first commit end. Other pages must follow. */
async function firstFrameEnd(log: string): Promise<number> {
  const { size } = await stat(log);
  assert.ok(size > 10 * pageBytes, `the log has only ${size} bytes`);
  return 32 + 2 * (24 + pageBytes);
}

async function overwrite(path: string, from: number, length: number): Promise<void> {
  const bytes = await readFile(path);
  for (let at = from; at < from + length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}

/** The content of the files with data. A missing file counts as empty. */
async function contentOf(directory: string): Promise<readonly Buffer[]> {
  const path = join(directory, databaseFileName);
  return Promise.all([path, `${path}-wal`, `${path}-mark`].map(readIfThere));
}

async function readIfThere(path: string): Promise<Buffer> {
  return existsSync(path) ? readFile(path) : Buffer.of();
}
