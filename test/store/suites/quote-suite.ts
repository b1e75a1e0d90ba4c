import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { makeLiveBar } from '../../../src/domain/quotes/minute-bar.ts';
import type { EpochDay, PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { al30, close, ggal, mep, put, readRows } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { storedQuote as quote } from '../../support/market/stored-quote.ts';
import { testChange } from '../../support/market/test-change.ts';

const bar = makeLiveBar({
  day: 20_577 as EpochDay,
  minute: 29_632_500,
  open: 71_000,
  high: 71_300.25,
  low: 0.1 + 0.2,
  last: 71_250.5,
  volumeFrom: 12.5,
  volumeTo: 13,
  isRecorded: true,
});

/** The guarantees of every store about the latest quotes. */
export function testQuotes(name: string, makePlace: MakePlace): void {
  describe(`${name}: latest quotes`, () => {
    test('an empty store has no quotes', async (t) => {
      await using store = await (await makePlace(t)).open();
      assert.deepEqual(await store.quotes.readAll(), []);
    });

    test('quotes are read back with all fields after the store is opened again', async (t) => {
      const place = await makePlace(t);
      const bare: StoredQuote = {
        ticker: mep,
        version: 2 ** 52 + 1,
        session: {
          sessionDate: '2026-05-04' as PlainDate,
          last: 0.1 + 0.2,
          volume: null,
          openAt: null,
          isInHistory: false,
          historyClose: null,
        },
        references: {},
      };
      // A derived instrument has the delay of its inputs, and no source of its own.
      const derived = { ...quote(ggal, 2), source: { delayMinutes: 15 } };
      const setAside = {
        day: 20_576 as EpochDay,
        close: 7_125_000,
        sessionDate: '2026-05-04' as PlainDate,
        comparable: 712_500,
        price: 71_250.5,
        at: 1_777_900_000_000,
        isConfirmed: false,
      };
      const barred = { ...quote(al30, 1), bar, setAside };
      // The delay of a source may be unknown, and so that of an instrument derived from it.
      const undated = { ...quote('PAMP' as Ticker, 4), source: { name: 'data912' } };
      const derivedOfIt = { ...quote('YPFD' as Ticker, 5), source: {} };
      const all = [barred, bare, derived, undated, derivedOfIt];
      {
        await using store = await place.open();
        await store.quotes.commit({ quotes: all, closes: [] });
      }
      await using store = await place.open();
      const quotes = [...(await store.quotes.readAll())].sort((a, b) => a.version - b.version);
      assert.deepEqual(quotes, [barred, derived, undated, derivedOfIt, bare]);
    });

    test('a commit replaces the quotes of its instruments and no others', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.quotes.commit({ quotes: [quote(al30, 1), quote(mep, 2)], closes: [] });
      await store.quotes.commit({ quotes: [quote(al30, 3)], closes: [] });
      const quotes = [...(await store.quotes.readAll())].sort((a, b) => a.version - b.version);
      assert.deepEqual(quotes, [quote(mep, 2), quote(al30, 3)]);
    });

    test('a reader that continues from a version gets every newer quote, ascending by version', async (t) => {
      const place = await makePlace(t);
      await using store = await place.open();
      await using reader = await place.open();
      await store.quotes.commit({ quotes: [quote(ggal, 1), quote(al30, 2)], closes: [] });
      await store.quotes.commit({
        quotes: [quote(mep, 4), quote(ggal, 3)],
        closes: [],
      });
      const versions = async (after: number): Promise<readonly unknown[]> =>
        (await reader.quotes.readNewer(after)).map(({ ticker, version }) => [ticker, version]);
      assert.deepEqual(await versions(0), [
        [al30, 2],
        [ggal, 3],
        [mep, 4],
      ]);
      assert.deepEqual(await versions(3), [[mep, 4]]);
      assert.deepEqual(await versions(4), []);
      assert.deepEqual(await reader.quotes.readNewer(3), [quote(mep, 4)]);
    });

    test('the closes of a commit are in history, and readers see the change', async (t) => {
      const place = await makePlace(t);
      await using store = await place.open();
      await using other = await place.open();
      const { revision } = await other.history.changesSince(0);
      const closes = [{ ticker: al30, close: { ...close('2026-05-04', 1), open: 2 } }];
      await store.quotes.commit({ quotes: [quote(mep, 1)], closes, storedAt: testChange.at });
      assert.deepEqual((await other.history.changesSince(revision)).tickers, [al30]);
      assert.deepEqual(
        await readRows(other, al30),
        closes.map((one) => one.close),
      );
    });

    test('a commit replaces a close of another source, and returns the conflict', async (t) => {
      await using store = await (await makePlace(t)).open();
      const [may4, may5, may6] = ['2026-05-04', '2026-05-05', '2026-05-06'];
      await put(store, al30, [
        { ...close(may4, 1), source: 'data912' },
        { ...close(may5, 93.89), source: 'data912' },
        { ...close(may6, 3), source: 'session:byma' },
      ]);
      await put(store, mep, [close(may4, 5)]);
      const commit = (ticker: Ticker, date: string, value: number) => {
        const own = { ...close(date, value), source: 'session:byma' };
        return store.quotes.commit({
          quotes: [],
          closes: [{ ticker, close: own }],
          storedAt: testChange.at,
        });
      };
      assert.deepEqual(await commit(al30, may4, 2), [
        {
          ticker: al30,
          day: close(may4, 0).day,
          stored: 1,
          storedSource: 'data912',
          offered: 2,
          offeredSource: 'session:byma',
        },
      ]);
      assert.equal((await readRows(store, al30))[0]?.close, 2);
      assert.equal((await readRows(store, al30))[0]?.source, 'session:byma');
      assert.deepEqual(await commit(al30, may5, 93.889999), [], 'the same price');
      assert.deepEqual(await commit(al30, may6, 4), [], 'its own close');
      assert.deepEqual(await commit(ggal, may4, 4), [], 'the first close of the day');
      const [unknown] = await commit(mep, may4, 6);
      assert.deepEqual([unknown?.stored, unknown?.storedSource], [5, undefined]);
    });

    test('a failed commit stores nothing and may be retried', async (t) => {
      await using store = await (await makePlace(t)).open();
      const wrong = { ticker: mep, close: close('2026-05-04', Number.NaN) };
      const right = { ticker: al30, close: close('2026-05-04', 1) };
      const commit = { quotes: [quote(al30, 1)], closes: [right, wrong] };
      await assert.rejects(store.quotes.commit(commit));
      assert.deepEqual(await store.quotes.readAll(), []);
      assert.deepEqual(await readRows(store, al30), []);
      await store.quotes.commit({ ...commit, closes: [right], storedAt: testChange.at });
      assert.deepEqual(await store.quotes.readAll(), [quote(al30, 1)]);
    });
  });
}
