import assert from 'node:assert/strict';
import { test } from 'node:test';

import { runCommand } from '../../../test/support/program/run-command.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { until } from '../../../test/support/wait.ts';
import { close, ggal, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { Store } from '../../store/contract/store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { confirm } from '../../commands/history/confirm.ts';
import { checkCloses } from '../../operator/doctor/check-data.ts';
import { closesSetAside, readinessOf } from '../metrics/readiness.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPipeline, type Pipeline } from './open-pipeline.ts';

const minuteMs = 60_000;
const opening = Date.parse('2026-11-20T11:00:00-03:00');
const universe = makeUniverse([{ ticker: ggal }]);
const confirmedDay = toEpochDay('2026-11-19' as PlainDate);
const source = { name: 'data912', delayMinutes: 0 };

/** An installation whose last close is a hundred times too high, with a clock that the test moves. */
class Installation {
  readonly metrics = new Metrics({ version: '0' });
  readonly logged: string[] = [];
  readonly #observer = this.metrics.pipeline();
  now = opening;

  open(store: Store): Promise<Pipeline> {
    const keep = (_: object, message: string): void => void this.logged.push(message);
    return openPipeline({
      universe,
      store,
      clock: clockAt(() => this.now),
      log: { ...silentLog, warn: keep, error: keep, info: keep },
      settleDelayMs: 15 * minuteMs,
      observer: this.#observer,
    });
  }

  /** Sends one price a minute. */
  async send(market: Pipeline, ...prices: readonly number[]): Promise<readonly unknown[]> {
    const outcomes: unknown[] = [];
    for (const last of prices) {
      this.now += minuteMs;
      const update = { ticker: ggal, at: this.now, last };
      outcomes.push(...(await market.ingest.submit([update], source)));
    }
    return outcomes;
  }
}

function quoteOf(market: Pipeline): Quote {
  return market.board.quote(universe.get(ggal)) ?? assert.fail('no quote');
}

const shown = ({ last, previousClose, change, monthToDatePct, yearToDatePct }: Quote) => [
  last,
  previousClose,
  change?.value,
  monthToDatePct,
  yearToDatePct,
];

/** Writes a year of closes, of which the last one is a hundred times too high. */
async function writeCloses(store: Store): Promise<void> {
  await put(store, ggal, [
    close('2025-12-30', 4_000),
    close('2026-10-30', 5_000),
    close('2026-11-18', 5_600),
    { ...close('2026-11-19', 541_000), source: 'data912' },
  ]);
}

test('live prices that agree set a wrong close aside, which every report names, until the close is corrected', async (t) => {
  const directory = await temporaryDirectory(t);
  const it = new Installation();
  {
    await using store = await openSqliteStore({ directory });
    await writeCloses(store);
    await using market = await it.open(store);
    const outcomes = await it.send(market, 5_700, 5_710, 5_705, 5_690, 5_720);
    assert.deepEqual(
      outcomes.slice(0, 4),
      Array.from({ length: 4 }, () => ({ refused: 'implausible' })),
    );
    assert.equal(outcomes[4], 'accepted');
    // The closes of the month and of the year before are on the level of the prices.
    assert.deepEqual(shown(quoteOf(market)), [5_720, undefined, undefined, 14.4, 43]);
    assert.deepEqual(
      [quoteOf(market).open, quoteOf(market).high, quoteOf(market).low],
      [5_700, 5_720, 5_690],
      'the prices that waited are part of the session',
    );
    assert.deepEqual(it.logged, ['close set aside, live prices contradict it']);
    const text = await it.metrics.registry.metrics();
    assert.match(text, /pizarra_judged_prices_total\{decision="set-aside"\} 1\n/);
  }
  await using store = await openSqliteStore({ directory });
  const finding = checkCloses(await store.quotes.readAll());
  assert.match(
    finding.cases?.join() ?? '',
    /^GGAL: the close 541000 of 2026-11-19 .*pizarra history confirm "GGAL"$/,
  );
  await using market = await it.open(store);
  assert.deepEqual(
    shown(quoteOf(market)),
    [5_720, undefined, undefined, 14.4, 43],
    'after a restart',
  );
  const { closes } = readinessOf({
    quotes: 1,
    instruments: 1,
    commits: it.metrics.commitHealth,
    feeds: [],
    setAside: closesSetAside(market.board),
  });
  assert.match(closes?.reason ?? '', /^GGAL: the close 541000 of 2026-11-19 is contradicted/);
  await put(store, ggal, [{ ...close('2026-11-19', 5_410), source: 'import:right.csv' }]);
  await until('the corrected close is compared with', () => quoteOf(market).change !== null);
  assert.deepEqual(shown(quoteOf(market)), [5_720, 5_410, 5.73, 14.4, 43]);
  assert.equal(it.logged.at(-1), 'close no longer set aside');
  assert.equal(checkCloses(await store.quotes.readAll()).cases, undefined);
});

test('a close that the operator confirms is compared with again, and no price is judged by it', async (t) => {
  const directory = await temporaryDirectory(t);
  const it = new Installation();
  await using store = await openSqliteStore({ directory });
  await writeCloses(store);
  await using market = await it.open(store);
  const confirmed = (ticker: string) =>
    runCommand(confirm, { args: { ticker }, settings: { store: directory } });
  await assert.rejects(confirmed('GGAL'), /Live prices contradict no stored close/);
  await it.send(market, 5_700, 5_710, 5_705, 5_690, 5_720);
  assert.deepEqual((await confirmed(' ggal ')).sections, [
    'The close 541000 of GGAL of 2026-11-19 is confirmed.',
  ]);
  await until('the close is compared with', () => quoteOf(market).change !== null);
  assert.deepEqual(shown(quoteOf(market)).slice(0, 3), [5_720, 541_000, -98.94]);
  const days = { from: confirmedDay, to: confirmedDay };
  const [stored] = await store.history.readCloses(ggal, days);
  assert.deepEqual([stored?.close, stored?.source], [541_000, 'confirmed:data912']);
  assert.deepEqual(await it.send(market, 5_730), ['accepted']);
  assert.equal(quoteOf(market).change?.value, -98.94);
  assert.deepEqual((await confirmed('GGAL')).sections, [
    'The close 541000 of GGAL of 2026-11-19 was confirmed before.',
  ]);
});
