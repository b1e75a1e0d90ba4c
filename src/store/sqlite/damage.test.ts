import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { allDays, put } from '../../../test/store/close-samples.ts';
import { generationOf, tickers } from '../../../test/store/generations.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { StoreFault } from '../contract/store-fault.ts';
import type { Store } from '../contract/store.ts';
import { databaseFileName } from './file/database-file.ts';
import { openSqliteStore } from './sqlite-store.ts';

test('damage anywhere in the file gives a store fault or has no effect, and never another error', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  {
    await using store = await openSqliteStore({ directory });
    for (const ticker of tickers) await put(store, ticker, generationOf(1));
  }
  const sound = await readFile(path);
  const pages = sound.length / 4096;
  // SQLite interprets the file's header and the page headers. The rest of a page is content.
  const place = fc.oneof(
    fc.nat({ max: 200 }),
    fc.tuple(fc.nat({ max: pages - 1 }), fc.nat({ max: 16 })).map(([page, at]) => page * 4096 + at),
    fc.nat({ max: sound.length - 1 }),
  );
  await fc.assert(
    fc.asyncProperty(place, fc.uint8Array({ minLength: 1, maxLength: 64 }), async (at, bytes) => {
      const damaged = Buffer.from(sound);
      damaged.set(Array.from(bytes).slice(0, sound.length - at), at);
      for (const log of ['-wal', '-shm']) await rm(path + log, { force: true });
      await writeFile(path, damaged);
      try {
        await using store = await openSqliteStore({ directory, busyWaitMs: 0 });
        await readEverything(store);
      } catch (error) {
        assert.ok(error instanceof StoreFault, String(error));
      }
    }),
    { numRuns: 100 },
  );
});

async function readEverything(store: Store): Promise<void> {
  for (const ticker of tickers) await store.history.readSeries(ticker, allDays);
  await store.history.latestCloses(tickers);
  await store.history.changesSince(0);
  await store.keys.readAll();
  await store.quotes.readAll();
}
