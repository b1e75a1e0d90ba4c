import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import {
  al30,
  allDays,
  close,
  day,
  ggal,
  put,
  readRows,
} from '../../../../test/store/close-samples.ts';
import {
  holdLock,
  postgresPlace,
  sharedPostgres,
} from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { testChange, testStamp } from '../../../../test/support/market/test-change.ts';

function closeOf(source: string, value = 1): DailyClose {
  return { ...close('2026-05-04', value), source };
}

describe('imports into a store in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('a commit of the writer waits for no import, not even one of the same close', async (t) => {
    const place = await postgresPlace(t);
    await using importer = await place.open({ mode: 'create' });
    await using writer = await place.open({ mode: 'create' });
    const own = { ticker: al30, close: { ...close('2026-05-04', 7), source: 'session' } };
    await importer.history.transaction(async (transaction) => {
      await transaction.put(al30, [close('2026-05-04', 1)]);
      await transaction.put('NEW' as Ticker, [close('2026-05-04', 1)]);
      // The rows are sent to the database before the commit.
      await transaction.read(al30, allDays);
      await writer.quotes.commit({ quotes: [], closes: [own], storedAt: testChange.at });
      const other = { ticker: 'NEW' as Ticker, close: close('2026-05-05', 2) };
      await writer.quotes.commit({ quotes: [], closes: [other], storedAt: testChange.at });
    }, testStamp);
    assert.deepEqual(await readRows(writer, al30), [close('2026-05-04', 1)]);
    assert.equal((await readRows(writer, 'NEW' as Ticker)).length, 2);
  });

  test('a fetch does not replace a close that an equal session has taken over since it read it', async (t) => {
    const place = await postgresPlace(t);
    await using fetcher = await place.open({ mode: 'create' });
    await using writer = await place.open({ mode: 'create' });
    await put(writer, al30, [closeOf('byma')]);
    const fetching = fetcher.history.transaction(async (transaction) => {
      await transaction.read(al30, allDays);
      await writer.quotes.commit({
        quotes: [],
        closes: [{ ticker: al30, close: closeOf('session:byma') }],
        storedAt: testChange.at,
      });
      await transaction.put(al30, [closeOf('data912', 2)]);
    }, testStamp);
    await assert.rejects(fetching, { name: 'StoreFault', code: 'busy' });
    assert.deepEqual(await readRows(writer, al30), [closeOf('session:byma')]);
  });

  test('an import does not replace a close that has changed since it read it, and stores nothing', async (t) => {
    const place = await postgresPlace(t);
    await using importer = await place.open({ mode: 'create' });
    await using writer = await place.open({ mode: 'create' });
    await put(writer, al30, [close('2026-05-04', 1)]);
    for (const date of ['2026-05-04', '2026-05-05']) {
      const own = { ticker: al30, close: close(date, 7) };
      const importing = importer.history.transaction(async (transaction) => {
        await transaction.read(al30, allDays);
        await transaction.put(ggal, [close('2026-05-04', 1)]);
        await writer.quotes.commit({ quotes: [], closes: [own], storedAt: testChange.at });
        await transaction.put(al30, [close(date, 9)]);
      }, testStamp);
      await assert.rejects(importing, {
        name: 'StoreFault',
        code: 'busy',
        message: /has changed meanwhile/,
      });
      assert.equal((await readRows(writer, ggal)).length, 0);
      assert.equal((await readRows(writer, al30)).find((one) => one.day === day(date))?.close, 7);
    }
  });

  test('an equal close of another process in between is no conflict', async (t) => {
    const place = await postgresPlace(t);
    await using importer = await place.open({ mode: 'create' });
    await using writer = await place.open({ mode: 'create' });
    const same = close('2026-05-04', 7);
    await importer.history.transaction(async (transaction) => {
      await transaction.read(al30, allDays);
      await writer.quotes.commit({
        quotes: [],
        closes: [{ ticker: al30, close: same }],
        storedAt: testChange.at,
      });
      await transaction.put(al30, [same]);
    }, testStamp);
    assert.deepEqual(await readRows(writer, al30), [same]);
  });

  test('an import of closes that are stored already locks none of them', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    await using store = await place.open({ mode: 'create' });
    const same = [close('2026-05-04', 7), close('2026-05-05', 8)];
    await put(store, al30, same);
    const stop = new AbortController();
    const text = `SELECT FROM ${schema}.closes FOR UPDATE`;
    const locked = holdLock(server, text, stop.signal);
    await locked.isHeld;
    await put(store, al30, [...same, close('2026-05-06', 9)]);
    stop.abort();
    await locked.isOver;
    assert.equal((await readRows(store, al30)).length, 3);
  });

  test('a revision is given when an import commits, so no reader passes it by', async (t) => {
    const place = await postgresPlace(t);
    await using importer = await place.open({ mode: 'create' });
    await using writer = await place.open({ mode: 'create' });
    let seen = await writer.history.changesSince(0);
    await importer.history.transaction(async (transaction) => {
      await transaction.put(al30, [close('2026-05-04', 1)]);
      // A later change that is committed first must not hide the one under way.
      const own = { ticker: ggal, close: close('2026-05-04', 7) };
      await writer.quotes.commit({ quotes: [], closes: [own], storedAt: testChange.at });
      seen = await writer.history.changesSince(seen.revision);
      assert.deepEqual(seen.tickers, [ggal]);
    }, testStamp);
    assert.deepEqual((await writer.history.changesSince(seen.revision)).tickers, [al30]);
  });

  test('more closes than are sent together are stored completely', async (t) => {
    const place = await postgresPlace(t);
    await using store = await place.open({ mode: 'create' });
    const many = Array.from({ length: 12_345 }, (_, at) => ({
      day: at as EpochDay,
      close: at + 0.1,
      volume: at % 3 === 0 ? null : at / 7,
      ...(at % 5 === 0 ? { source: `import:${at % 10}.csv` } : {}),
    }));
    await put(store, al30, many);
    assert.deepEqual(await store.history.readCloses(al30, allDays), many);
  });
});
