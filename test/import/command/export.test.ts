import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { runExport, type ExportRequest } from '../../../src/commands/export.ts';
import { requireUniverse } from '../../../src/node/market/require-universe.ts';
import { noActions } from '../../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { rulesOf } from '../../../src/domain/instruments/instrument.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { importHistory } from '../../../src/import/importer.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { allDays, day as epochDay } from '../../store/close-samples.ts';
import { temporaryDirectory } from '../../support/program/program.ts';
import { fridayEvening } from '../support/import-into.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { openTestStore, storeAt } from '../../support/program/test-store.ts';
import { testStamp } from '../../support/market/test-change.ts';

const universeDirectory = join(import.meta.dirname, '../../../universe');
const universe = await requireUniverse(universeDirectory);

/** Instruments of every kind: names with spaces, US twins, prices with eight decimals, negative rates. */
const tickers = ['AL30', 'AAPL', 'AAPL_US', 'DOLAR MEP', 'BTC', 'RIESGO PAIS', 'GGAL'].flatMap(
  (ticker) => universe.find(ticker)?.ticker ?? [],
);

async function exportText(directory: string, wishes: Partial<ExportRequest> = {}) {
  const chunks: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const summary = await runExport({
    storeAt: storeAt(directory),
    universeDirectory,
    tickers: [],
    output,
    ...wishes,
  });
  return { summary, text: chunks.join(''), chunks };
}

async function put(store: Store, closes: ReadonlyMap<Ticker, readonly DailyClose[]>) {
  await store.history.transaction(async (transaction) => {
    for (const [ticker, rows] of closes) await transaction.put(ticker, rows);
  }, testStamp);
}

/** Closes that an import accepts: on days with a session, with values that their kind allows. */
function closesOf(ticker: Ticker): fc.Arbitrary<readonly DailyClose[]> {
  const instrument = universe.get(ticker);
  const { isPrice, hasVolume } = rulesOf(instrument);
  const calendar = new SessionCalendar(universe.marketOf(instrument));
  const first = epochDay('2001-01-01');
  const last = epochDay('2026-11-01');
  const price = isPrice
    ? fc.double({ min: 1e-9, max: 1e15, noNaN: true })
    : fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
  const row = fc.record(
    {
      day: fc.integer({ min: first, max: last }).map((one) => one as DailyClose['day']),
      close: price,
      volume: hasVolume
        ? fc.option(fc.double({ min: 0, max: 1e22, noNaN: true }))
        : fc.constant(null),
      open: price,
      high: price,
      low: price,
      source: fc.constantFrom('data912', 'session', 'session:byma', 'import:á "b", c;.csv'),
    },
    { requiredKeys: ['day', 'close', 'volume'], noNullPrototype: true },
  );
  return fc
    .uniqueArray(row, { selector: (one) => one.day, maxLength: 60 })
    .map((rows) =>
      rows.filter((one) => calendar.isSessionDay(one.day)).toSorted((a, b) => a.day - b.day),
    );
}

test('import reads an export back to the last bit, sources included, without options', async () => {
  const market = fc.tuple(...tickers.map(closesOf));
  await fc.assert(
    fc.asyncProperty(market, async (series) => {
      await using directory = await temporaryDirectory();
      const [from, to] = [join(directory.path, 'from'), join(directory.path, 'to')];
      const closes = new Map(tickers.map((ticker, at) => [ticker, series[at] ?? []]));
      {
        await using store = await openTestStore(from);
        await put(store, closes);
      }
      const { text } = await exportText(from);
      await using store = await openTestStore(to);
      const summary = await importHistory(
        ['-'],
        {},
        {
          store,
          universe,
          actions: noActions,
          clock: clockAt(() => fridayEvening),
          stdin: Readable.from([Buffer.from(text)]),
          onReject: (reject) => assert.fail(JSON.stringify(reject)),
        },
      );
      const isEmpty = series.every((rows) => rows.length === 0);
      if (isEmpty) return;
      assert.deepEqual(
        summary.files.filter(({ outcome }) => outcome === 'refused'),
        [],
      );
      for (const ticker of tickers) {
        const rows = await store.history.readCloses(ticker, allDays);
        assert.deepEqual(rows, closes.get(ticker), ticker);
      }
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 15) },
  );
});

test('an export is CSV of RFC 4180: one header, lines that end with CRLF, empty cells for unknown values', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const only = epochDay('2026-11-19');
    await put(
      store,
      new Map([
        [
          'DOLAR MEP' as Ticker,
          [{ day: only, close: 0.0000001, volume: null, source: 'import:a, "b".csv' }],
        ],
        [
          'AL30' as Ticker,
          [{ day: only, close: 70_000.5, volume: 12, open: 1, high: 2, low: 0.5 }],
        ],
      ]),
    );
  }
  const { text, summary } = await exportText(directory.path, { tickers: ['dolar mep', 'AL30'] });
  assert.equal(
    text,
    'ticker,date,close,open,high,low,volume,source\r\n' +
      'DOLAR MEP,2026-11-19,0.0000001,,,,,"import:a, ""b"".csv"\r\n' +
      'AL30,2026-11-19,70000.5,1,2,0.5,12,\r\n',
  );
  assert.deepEqual(summary, { instruments: 2, closes: 2, replaced: 0, strangers: [] });
});

test('an export selects a panel and an inclusive range, and names tickers that are no longer in the universe', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const rows = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'].map((date) => ({
      day: epochDay(date),
      close: 1,
      volume: null,
    }));
    const all = ['GGAL', 'AL30', 'LONG GONE'].map((ticker) => [ticker as Ticker, rows] as const);
    await put(store, new Map(all));
  }
  const { text, summary } = await exportText(directory.path, {
    panel: 'LID',
    from: '2026-11-18' as PlainDate,
    to: '2026-11-19' as PlainDate,
  });
  const lines = text.trim().split('\r\n').slice(1);
  assert.deepEqual(lines, ['GGAL,2026-11-18,1,,,,,', 'GGAL,2026-11-19,1,,,,,']);
  assert.deepEqual(summary.strangers, ['LONG GONE']);
});

test('an export has at most one instrument in memory, and overwrites no file', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const rows = [{ day: epochDay('2026-11-19'), close: 1, volume: null }];
    await put(store, new Map(tickers.map((ticker) => [ticker, rows])));
  }
  const { chunks } = await exportText(directory.path);
  assert.equal(chunks.length, 1 + tickers.length);

  const output = join(directory.path, 'closes.csv');
  await exportText(directory.path, { output });
  const written = await readFile(output, 'utf8');
  assert.equal(written, chunks.join(''));
  await assert.rejects(exportText(directory.path, { output }), {
    name: 'OperatorFault',
    message: /the file already exists/,
  });
  assert.equal(await readFile(output, 'utf8'), written);
});
