import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { openPipeline } from '../../src/node/site/open-pipeline.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { claimDirectory } from '../../src/store/sqlite/guard/claim-directory.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { migrations } from '../../src/store/sqlite/schema/migrations.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { al30, close, ggal, mep, put } from './close-samples.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { clockAt } from '../support/market/clock-at.ts';

/** Number of migrations before references had days. */
const before = 4;

const universe = makeUniverse([{ ticker: al30 }, { ticker: ggal }, { ticker: mep }]);

test('quotes stored before references had days are compared with the closes of history', async (t) => {
  const directory = await temporaryDirectory(t);
  const session = {
    sessionDate: '2026-11-20',
    asOf: Date.parse('2026-11-20T12:00:00-03:00'),
    last: 110,
    volume: 5,
    openAt: null,
    isInHistory: false,
    historyClose: null,
  };
  {
    using database = new DatabaseSync(join(directory, databaseFileName));
    migrate(database, databaseFileName, migrations.slice(0, before));
    const keep = database.prepare('INSERT INTO quotes (ticker, version, state) VALUES (?, ?, ?)');
    for (const [index, [ticker, references]] of (
      [
        [al30, { previous: 100, monthBase: 80, yearBase: 80 }],
        [ggal, { previous: 3.5, monthBase: 3.5, yearBase: 3.5 }],
        // This instrument has no history any more.
        [mep, { previous: 1000 }],
      ] as const
    ).entries()) {
      keep.run(ticker, index + 1, JSON.stringify({ session, references }));
    }
  }
  using claim = claimDirectory(directory);
  await using store = await openSqliteStore({ directory, claim });
  await put(store, al30, [close('2025-12-30', 80), close('2026-11-19', 100)]);
  await put(store, ggal, [close('2022-06-01', 3), close('2022-06-02', 3.5)]);
  const clock = clockAt(() => Date.parse('2026-11-20T13:00:00-03:00'));
  await using market = await openPipeline({
    universe,
    store,
    clock,
    log: silentLog,
    settleDelayMs: 900_000,
  });
  const shown = universe.instruments.map((instrument) => {
    const quote = market.board.quote(instrument);
    const { previousClose, change, monthToDatePct, yearToDatePct } = quote ?? {};
    return [instrument.ticker, previousClose, change?.value, monthToDatePct, yearToDatePct];
  });
  assert.deepEqual(shown, [
    [al30, 100, 10, null, 37.5],
    [ggal, 3.5, undefined, null, null],
    [mep, undefined, undefined, null, null],
  ]);
});
