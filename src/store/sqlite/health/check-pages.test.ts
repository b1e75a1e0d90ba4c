import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { put } from '../../../../test/store/close-samples.ts';
import { generationOf, tickers } from '../../../../test/store/generations.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { checkPages } from './check-pages.ts';
import { databaseFileName } from '../file/database-file.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const running = new AbortController().signal;

function isFault(code: StoreFault['code']): (error: unknown) => boolean {
  return (error) => error instanceof StoreFault && error.code === code;
}

test('a sound database passes the check while its store is in use', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  for (const ticker of tickers) await put(store, ticker, generationOf(1));
  await checkPages(directory, running);
});

test('a database with an overwritten page fails the check as corrupt', async (t) => {
  const directory = await temporaryDirectory(t);
  {
    await using store = await openSqliteStore({ directory });
    for (const ticker of tickers) await put(store, ticker, generationOf(1));
  }
  const path = join(directory, databaseFileName);
  const damaged = await readFile(path);
  damaged.fill(0xff, damaged.length - 4_096);
  await writeFile(path, damaged);
  await assert.rejects(checkPages(directory, running), isFault('corrupt'));
});

test('a database that does not exist fails the check as unavailable', async (t) => {
  const directory = await temporaryDirectory(t);
  await assert.rejects(checkPages(directory, running), isFault('unavailable'));
});

test('an aborted check ends at once as unavailable', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  for (const ticker of tickers) await put(store, ticker, generationOf(1));
  const abort = new AbortController();
  const checked = checkPages(directory, abort.signal);
  abort.abort();
  await assert.rejects(checked, isFault('unavailable'));
});
