import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { ChangeStamp } from '../../contract/history-store.ts';
import { al30, allDays, close, ggal } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { databaseFileName } from '../file/database-file.ts';
import { checkPages } from '../health/check-pages.ts';
import { openSqliteStore } from '../sqlite-store.ts';

/** The rows of a table, and a second connection that reads them. */
function rowsIn(directory: string, query: string): readonly (readonly unknown[])[] {
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row));
}

function stamp(at: number): ChangeStamp {
  return { origin: 'fetch', now: () => at };
}

test('corrections are numbered for each day, refer to their changes, and are sealed', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const put = (at: number, ...closes: readonly DailyClose[]): Promise<void> =>
    store.history.transaction(
      async (transaction) => {
        await transaction.put(al30, closes);
        await transaction.put(ggal, closes.slice(0, 1));
      },
      { origin: 'import', now: () => at },
    );
  const [first, second] = ['2026-05-04', '2026-05-05'] as const;
  await put(10, close(first, 1), close(second, 1));
  await put(20, close(first, 2), close(second, 1));
  // An equal close adds no change.
  await put(25, close(first, 2), close(second, 1));
  await put(30, close(first, 3), close(second, 2));
  assert.deepEqual(rowsIn(directory, 'SELECT at, origin FROM changes WHERE id > 1 ORDER BY id'), [
    [10, 'import'],
    [20, 'import'],
    [30, 'import'],
  ]);
  const query = `SELECT instrument_id, position, close, change_id - 1, replaced_by - 1 FROM replaced_closes`;
  assert.deepEqual(rowsIn(directory, `${query} ORDER BY instrument_id, day, position`), [
    [1, 1, 1, 1, 2],
    [1, 2, 2, 2, 3],
    [1, 1, 1, 1, 3],
    [2, 1, 1, 1, 2],
    [2, 2, 2, 2, 3],
  ]);
  await checkPages(directory, t.signal);
});

test('a close that is put back in its transaction keeps its change, and its seal', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const day = '2026-05-04';
  await store.history.transaction((one) => one.put(al30, [close(day, 1)]), stamp(10));
  await store.history.transaction(async (one) => {
    for (const value of [2, 3, 1]) await one.put(al30, [close(day, value)]);
  }, stamp(20));
  const [version, ...others] = await store.memory.readCloses(al30, allDays);
  assert.deepEqual([version?.stored.at, others.length], [10, 0]);
  await store.history.transaction(async (one) => {
    for (const value of [2, 1, 4]) await one.put(al30, [close(day, value)]);
  }, stamp(30));
  const values = (await store.memory.readCloses(al30, allDays)).map(({ value }) => value.close);
  assert.deepEqual(values, [1, 4]);
  await checkPages(directory, t.signal);
});

test('a restore numbers the versions of each day, and a second one leaves nothing of the first', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const [a, b, c] = [1, 2, 3].map((at) => ({ at, origin: 'import' as const }));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const versions = [
    { value: close('2026-05-04', 1), stored: a, replaced: b },
    { value: close('2026-05-04', 2), stored: b, replaced: c },
    { value: close('2026-05-04', 3), stored: c },
    { value: close('2026-05-05', 3), stored: a, replaced: c },
    { value: close('2026-05-05', 4), stored: c },
  ];
  for (const given of [versions.slice(0, 3), versions]) {
    await store.history.transaction((one) => one.restore(al30, given), {
      origin: 'unknown',
      now: () => 0,
    });
    assert.deepEqual(await store.memory.readCloses(al30, allDays), given);
  }
  const positions = 'SELECT position FROM replaced_closes ORDER BY day, position';
  assert.deepEqual(rowsIn(directory, positions), [[1], [2], [1]]);
  await checkPages(directory, t.signal);
});

test('a change at no instant is refused, and nothing of its transaction is stored', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const failing = store.history.transaction((one) => one.put(al30, [close('2026-05-04', 1)]), {
    origin: 'import',
    now: () => Number.NaN,
  });
  await assert.rejects(failing, RangeError);
  assert.deepEqual(await store.memory.readCloses(al30, allDays), []);
});
