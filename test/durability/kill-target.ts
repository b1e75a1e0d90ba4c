/**
 * The program that the test kills: the market as the service opens it, with a real store and its writing
 * thread. It reads one batch of updates per line, and reports which quotes are published and which
 * batches are durable.
 *
 * Usage: kill-target.ts DIRECTORY NOW
 */
import { createInterface } from 'node:readline';

import { openPipeline } from '../../src/node/market/open-pipeline.ts';
import type { Instrument } from '../../src/domain/instruments/instrument.ts';
import { msPerMinute } from '../../src/domain/quotes/minute-bar.ts';
import { firstEpochDay, lastEpochDay } from '../../src/domain/calendar/plain-date.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { killUniverse } from './kill-universe.ts';
import type { Batch, Ready, ShownBar } from './kill-protocol.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { openTestStore } from '../support/program/test-store.ts';

const [directory = '', start = ''] = process.argv.slice(2);
/** More sessions than a test has, so none is removed. */
const sessionsMax = 10_000;

// The clock of the market follows the load, in which days pass within a second.
let now = Number(start);

await using store = await openTestStore(directory, { writer: 'worker' });
await using market = await openPipeline({
  universe: killUniverse,
  store,
  clock: clockAt(() => now),
  log: silentLog,
  settleDelayMs: 0,
  intradaySessions: sessionsMax,
});
const { board, ingest } = market;
const servedMs = performance.now();
board.subscribe((quotes) => {
  say(
    'shown',
    quotes.map(({ instrument, version }) => [instrument.ticker, version]),
  );
});
say('ready', await takeStock());

for await (const line of createInterface({ input: process.stdin })) {
  const { id, updates } = JSON.parse(line) as Batch;
  now = Math.max(now, ...updates.map(({ at }) => at));
  void ingest.submit(updates).then((outcomes) => say('done', { id, outcomes }));
  // The service takes such a step every few milliseconds once a day is over.
  const idleSince = Math.floor(now / msPerMinute) - 60;
  void store.bars.tidyBars({ idleSince, sessionsMax });
}

async function takeStock(): Promise<Ready> {
  const quotes = killUniverse.instruments.flatMap((instrument) => board.quote(instrument) ?? []);
  const range = { from: firstEpochDay, to: lastEpochDay };
  const closes = await Promise.all(
    killUniverse.instruments.map(async ({ ticker }) => {
      const series = await store.history.readSeries(ticker, range);
      return { ticker, days: [...series.days], closes: [...series.closes] };
    }),
  );
  return {
    servedMs,
    quotes: quotes.map(({ instrument, version, sessionDate, last, open, high, low }) => ({
      ticker: instrument.ticker,
      version,
      session: { sessionDate, last, open, high, low },
    })),
    closes,
    bars: await Promise.all(killUniverse.instruments.map(takeBars)),
  };
}

async function takeBars(instrument: Instrument): Promise<Ready['bars'][number]> {
  const { ticker } = instrument;
  const underWay = board.quote(instrument)?.bar;
  const stored = await store.bars.readBars(ticker, { from: firstEpochDay, to: lastEpochDay });
  const finished = stored.filter(({ minute }) => minute !== underWay?.minute);
  const bars = underWay === undefined ? finished : [...finished, underWay];
  return {
    ticker,
    bars: bars.map(({ minute, open, high, low, last }): ShownBar => [
      minute,
      open,
      high,
      low,
      last,
    ]),
  };
}

function say(what: string, details: unknown): void {
  process.stdout.write(`${what} ${JSON.stringify(details)}\n`);
}
