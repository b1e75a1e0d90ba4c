import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { until } from '../../../test/support/wait.ts';
import { allDays, close, ggal, put, readRows } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { DifferenceReport } from '../../pipeline/history/report-differences.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPipeline } from './open-pipeline.ts';

const minuteMs = 60_000;
const at = (time: string): number => Date.parse(`2026-11-20T${time}:00-03:00`);

test('an official close that replaces a close of another source is stored, logged and counted', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const metrics = new Metrics({ version: '0' });
  const observer = metrics.pipeline();
  const lines: unknown[] = [];
  let now = at('16:00');
  const clock = clockAt(() => now);
  const log = {
    ...silentLog,
    warn: (details: object, message: string) => void lines.push([message, details]),
  };
  const universe = makeUniverse([{ ticker: ggal }]);
  const differences = new DifferenceReport({ clock, log, count: observer.differences });
  await using market = await openPipeline({
    universe,
    store,
    clock,
    log,
    settleDelayMs: 15 * minuteMs,
    observer,
    differences,
  });
  const source = { name: 'byma', delayMinutes: 0 };
  await market.ingest.submit([{ ticker: ggal, at: now, last: 100 }], source);
  now = at('17:05');
  await put(store, ggal, [{ ...close('2026-11-20', 99), source: 'data912' }]);
  const last = () => market.board.quote(universe.get(ggal))?.last;
  await until('the quote shows the close of the other program', () => last() === 99);
  await market.ingest.submit([{ ticker: ggal, at: now, close: 101 }], source);
  now = at('17:15');
  await until('the conflict is logged', () => lines.length > 0);
  assert.deepEqual(lines, [
    [
      'closes of sessions replaced those of other sources',
      {
        source: 'session:byma',
        count: 1,
        samples: ['GGAL 2026-11-20: stored 99 of data912, offered 101'],
      },
    ],
  ]);
  assert.equal(last(), 101);
  const [stored] = await store.history.readCloses(ggal, allDays);
  assert.deepEqual([stored?.close, stored?.source], [101, 'session:byma']);
  assert.deepEqual(await readRows(store, ggal), [stored]);
  assert.match(
    await metrics.registry.metrics(),
    /pizarra_close_differences_total\{source="session:byma",outcome="replaced"\} 1\n/,
  );
});
