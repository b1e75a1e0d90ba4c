/**
 * `pizarra export --format parquet` in the programs that read such files: DuckDB, and pandas with pyarrow. Without them
 * its tests are skipped; `test/import/command/export.test.ts` reads the same files with a library.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { runExport } from '../../src/commands/export/export.ts';
import { barAt } from '../support/market/bar-samples.ts';
import { testStamp } from '../support/market/test-change.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { openTestStore, storeAt } from '../support/program/test-store.ts';
import { day } from '../store/close-samples.ts';
import { noTools, toolsFolder } from './programs.ts';

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const { path } = cleanUp.use(await temporaryDirectory());
const ticker = 'AL30' as Ticker;
{
  await using store = await openTestStore(path);
  await store.history.transaction(
    (transaction) =>
      transaction.put(ticker, [
        { day: day('2026-11-18'), close: 0.1 + 0.2, volume: 12, source: 'import:ñ.csv' },
        { day: day('2026-11-19'), close: 71_000, open: 70_500, volume: null },
      ]),
    testStamp,
  );
  const bar = barAt('2026-11-20', '11:00', [1, 3, 0.5, 2], 7);
  await store.quotes.commit({ quotes: [], closes: [], bars: [{ ticker, bar }] });
}
for (const table of ['closes', 'bars'] as const) {
  await runExport({
    storeAt: storeAt(path),
    universeDirectory: join(import.meta.dirname, '../../universe'),
    tickers: [],
    table,
    format: 'parquet',
    output: join(path, `${table}.parquet`),
  });
}

interface DuckDb {
  readonly DuckDBInstance: {
    create(): Promise<{
      connect(): Promise<{
        runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): readonly object[] }>;
      }>;
    }>;
  };
}

test('DuckDB reads dates, instants, numbers and texts as such', { skip: noTools }, async () => {
  const load = createRequire(join(toolsFolder, 'package.json'));
  const { DuckDBInstance } = load('@duckdb/node-api') as DuckDb;
  const connection = await (await DuckDBInstance.create()).connect();
  const rowsOf = async (sql: string) =>
    (await connection.runAndReadAll(sql.replaceAll('FROM ', `FROM '${path}/`))).getRowObjectsJson();
  assert.deepEqual(
    await rowsOf("SELECT ticker, date, close, open, volume, source FROM closes.parquet'"),
    [
      {
        ticker: 'AL30',
        date: '2026-11-18',
        close: 0.1 + 0.2,
        open: null,
        volume: 12,
        source: 'import:ñ.csv',
      },
      {
        ticker: 'AL30',
        date: '2026-11-19',
        close: 71_000,
        open: 70_500,
        volume: null,
        source: null,
      },
    ],
  );
  const typed =
    "SELECT typeof(date) AS date, typeof(time) AS time, epoch_ms(time) AS at FROM bars.parquet'";
  assert.deepEqual(await rowsOf(typed), [
    { date: 'DATE', time: 'TIMESTAMP WITH TIME ZONE', at: String(Date.UTC(2026, 10, 20, 14)) },
  ]);
});

const hasPandas = spawnSync('python3', ['-c', 'import pandas, pyarrow']).status === 0;
const noPandas = hasPandas
  ? false
  : 'python3 has no pandas with pyarrow: pip install pandas pyarrow';

test('pandas reads the closes and the bars of minutes', { skip: noPandas }, () => {
  const program = `
import pandas
closes = pandas.read_parquet("closes.parquet")
bars = pandas.read_parquet("bars.parquet")
print(closes.close.tolist(), closes.date.astype(str).tolist(), closes.volume.isna().tolist())
print(bars.time.dt.tz, bars.time[0].isoformat())`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { cwd: path, encoding: 'utf8' });
  assert.equal(
    stdout,
    "[0.30000000000000004, 71000.0] ['2026-11-18', '2026-11-19'] [False, True]\nUTC 2026-11-20T14:00:00+00:00\n",
    stderr,
  );
});
