import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';

import * as fc from 'fast-check';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';

import { type ExportRequest } from '../../../src/commands/export/export.ts';
import { parquetFile } from '../../../src/commands/export/parquet.ts';
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
import { exportText, universe } from '../support/export-text.ts';
import { fridayEvening } from '../support/import-into.ts';
import { barAt } from '../../support/market/bar-samples.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { openTestStore } from '../../support/program/test-store.ts';
import { testStamp } from '../../support/market/test-change.ts';
import { fieldsIn } from '../../support/fields-in.ts';

/** Instruments of every kind: names with spaces, US twins, prices with eight decimals, negative rates. */
const tickers = ['AL30', 'AAPL', 'AAPL_US', 'DOLAR MEP', 'BTC', 'RIESGO PAIS', 'GGAL'].flatMap(
  (ticker) => universe.find(ticker)?.ticker ?? [],
);

/** Exports as Parquet, and reads the file back: its rows, and the type of each column. */
async function exportParquet(directory: string, wishes: Partial<ExportRequest> = {}) {
  const { summary, chunks } = await exportText(directory, { ...wishes, format: 'parquet' });
  const file = new Uint8Array(Buffer.concat(chunks as Uint8Array[])).buffer;
  const metadata = parquetMetadata(file);
  const types = parquetSchema(metadata).children.map(({ element }) => [
    element.name,
    element.logical_type?.type ?? element.type,
  ]);
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
  });
  return { summary, rows, types: Object.fromEntries(types), metadata };
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
  assert.deepEqual(summary, { instruments: 2, rows: 2, replaced: 0, strangers: [] });
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

test('a Parquet file has the closes to the last bit, with dates and numbers as such, and nulls for unknown values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(...tickers.map(closesOf)), async (series) => {
      await using directory = await temporaryDirectory();
      {
        await using store = await openTestStore(directory.path);
        const closes = tickers.map((ticker, at) => [ticker, series[at] ?? []] as const);
        await put(store, new Map([...closes, ['GD30' as Ticker, [al30Close]]]));
      }
      const { rows, types } = await exportParquet(directory.path, { tickers });
      const numbers = { close: 'DOUBLE', open: 'DOUBLE', high: 'DOUBLE', low: 'DOUBLE' };
      const texts = { ticker: 'STRING', source: 'STRING' };
      assert.deepEqual(types, { ...texts, ...numbers, date: 'DATE', volume: 'DOUBLE' });
      const expected = tickers.flatMap((ticker, at) =>
        (series[at] ?? []).map(({ day, open, high, low, source, ...one }) => {
          const known = { open, high, low, source };
          return { ticker, date: dateOf(day), ...one, ...known };
        }),
      );
      assert.deepEqual(rows.map(withoutNulls), expected.map(withoutNulls));
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 10) },
  );
});

const al30Close = { day: epochDay('2026-11-19'), close: 1, volume: null };

function dateOf(day: DailyClose['day']): Date {
  return new Date(day * 86_400_000);
}

/** A row with the values that are known. */
function withoutNulls(row: object): object {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  );
}

const split = {
  ticker: 'GGAL' as Ticker,
  exDay: epochDay('2026-06-15'),
  type: 'split',
  factor: 10,
  source: 'file',
} as const;
const cer = { index: 'CER', day: epochDay('2026-11-19'), value: 754.25, source: 'bcra' } as const;

/** A store with a close that was replaced, a bar, a split and a value of an index. */
async function filledStore(directory: string): Promise<void> {
  await using store = await openTestStore(directory);
  const day = epochDay('2026-11-19');
  for (const close of [70_000, 71_000]) {
    await put(store, new Map([['AL30' as Ticker, [{ day, close, volume: null }]]]));
  }
  const bar = barAt('2026-11-20', '11:00', [1, 3, 0.5, 2], 7);
  await store.quotes.commit({ quotes: [], closes: [], bars: [{ ticker: 'AL30' as Ticker, bar }] });
  await store.actions.apply({ put: [split] }, { at: 1_000, origin: 'import' });
  await store.indices.apply({ put: [cer] }, { at: 2_000, origin: 'fetch' });
}

test('bars have the instant at which they start, actions and indices their own columns, in both formats', async () => {
  await using directory = await temporaryDirectory();
  await filledStore(directory.path);
  const bars = await exportParquet(directory.path, { table: 'bars' });
  const time = new Date('2026-11-20T14:00:00Z');
  const prices = { open: 1, high: 3, low: 0.5, close: 2, volume: 7 };
  const date = dateOf(epochDay('2026-11-20'));
  assert.deepEqual(bars.rows, [{ ticker: 'AL30', date, time, ...prices }]);
  assert.equal(bars.types['time'], 'TIMESTAMP');
  const [, , , element] = bars.metadata.schema;
  assert.deepEqual(element?.logical_type, {
    type: 'TIMESTAMP',
    isAdjustedToUTC: true,
    unit: 'MILLIS',
  });
  assert.deepEqual(bars.summary, { instruments: 1, rows: 1, replaced: 0, strangers: [] });
  assert.equal(
    (await exportText(directory.path, { table: 'bars' })).text,
    'ticker,date,time,open,high,low,close,volume\r\nAL30,2026-11-20,2026-11-20T14:00:00.000Z,1,3,0.5,2,7\r\n',
  );
  const actions = await exportParquet(directory.path, { table: 'actions' });
  assert.deepEqual(actions.rows.map(withoutNulls), [
    { ticker: 'GGAL', date: dateOf(split.exDay), type: 'split', factor: 10, source: 'file' },
  ]);
  assert.equal(
    (await exportText(directory.path, { table: 'actions' })).text,
    'ticker,date,type,factor,amount,currency,newTicker,source\r\nGGAL,2026-06-15,split,10,,,,file\r\n',
  );
  const indices = await exportParquet(directory.path, { table: 'indices' });
  assert.deepEqual(indices.rows, [
    { indice: 'CER', fecha: dateOf(cer.day), valor: 754.25, fuente: 'bcra' },
  ]);
});

test('a Parquet file with changes has each version of a value, with the instants of its changes', async () => {
  await using directory = await temporaryDirectory();
  await filledStore(directory.path);
  const { rows, summary } = await exportParquet(directory.path, { withChanges: true });
  assert.deepEqual([summary.rows, summary.replaced], [1, 1]);
  const [first, last] = rows;
  assert.deepEqual([first?.['close'], last?.['close']], [70_000, 71_000]);
  assert.ok(first?.['stored_at'] instanceof Date && first['replaced_at'] instanceof Date);
  assert.equal(last?.['replaced_at'], null);
  const stored = await exportParquet(directory.path, { table: 'indices', withChanges: true });
  assert.deepEqual(
    [stored.rows[0]?.['stored_at'], stored.rows[0]?.['stored_by']],
    [new Date(2_000), 'fetch'],
  );
});

test('a table is selected by what it has, and refused by what it has not', async () => {
  await using directory = await temporaryDirectory();
  await filledStore(directory.path);
  const rowsOf = async (wishes: Partial<ExportRequest>) =>
    (await exportText(directory.path, wishes)).summary.rows;
  const from = '2026-06-16' as PlainDate;
  assert.equal(await rowsOf({ table: 'actions', tickers: ['AL30'] }), 0);
  assert.equal(await rowsOf({ table: 'actions', tickers: ['GGAL'] }), 1);
  assert.equal(await rowsOf({ table: 'actions', from }), 0);
  assert.equal(await rowsOf({ table: 'indices', from }), 1);
  await assert.rejects(rowsOf({ table: 'indices', tickers: ['GGAL'] }), /by instruments/);
  await assert.rejects(rowsOf({ table: 'terms', from }), /by days/);
  await assert.rejects(rowsOf({ table: 'bars', withChanges: true }), /Bars have no changes/);
  await assert.rejects(rowsOf({ table: 'terms' }), /has no bond terms to export/);
});

test('the demonstration is exported when it is asked for, and its Parquet file says that it is made up', async () => {
  await using directory = await temporaryDirectory();
  await filledStore(join(directory.path, 'demo'));
  {
    await using _ = await openTestStore(directory.path);
  }
  await assert.rejects(exportText(directory.path), /no closes to export.*--demo/);
  const { rows, metadata } = await exportParquet(directory.path, { demo: true });
  assert.equal(rows.length, 1);
  assert.match(metadata.key_value_metadata?.[0]?.value ?? '', /made-up/);
});

test('a Parquet file is written in groups of rows, and no more rows than those of a group are read ahead', async () => {
  let read = 0;
  const batch = Array.from({ length: 60_000 }, (_, at) => [at]);
  async function* batches() {
    for (let at = 0; at < 5; at += 1) {
      read += batch.length;
      yield batch;
    }
  }
  const pieces: Uint8Array[] = [];
  const ahead: number[] = [];
  for await (const piece of parquetFile(
    { columns: { a: { type: 'number' } }, batches: batches() },
    {},
  )) {
    pieces.push(piece);
    ahead.push(read - 100_000 * pieces.length);
  }
  assert.deepEqual(ahead, [20_000, 40_000, 0, -100_000]);
  const file = new Uint8Array(Buffer.concat(pieces)).buffer;
  assert.deepEqual(fieldsIn(parquetMetadata(file).row_groups, 'num_rows'), [
    100_000n,
    100_000n,
    100_000n,
  ]);
});
