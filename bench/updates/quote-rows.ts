/**
 * The cost, for the thread that answers requests, of sending a commit of quotes to the writing thread: as
 * objects, and as the rows that are stored.
 *
 * Usage: node bench/updates/quote-rows.ts [QUOTES]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import type { EpochDay, PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { makeLiveBar } from '../../src/domain/quotes/minute-bar.ts';
import type { StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { toQuoteRows } from '../../src/store/encoding/quote-row.ts';
import { readNumbers } from '../support/arguments.ts';
import { report, secondsOf } from '../support/report.ts';

const { quotes: count } = readNumbers(import.meta.filename, { quotes: 656 });
const rounds = 300;

const quotes: readonly StoredQuote[] = Array.from({ length: count }, (_, index) => ({
  ticker: `T${index}` as Ticker,
  version: 1_000_000 + index,
  session: {
    sessionDate: '2026-11-20' as PlainDate,
    asOf: 1_795_000_000_000 + index,
    last: 100 + index * 0.37,
    open: 99.5 + index * 0.37,
    openAt: 1_795_000_000_000,
    high: 101.25 + index * 0.37,
    low: 98.75 + index * 0.37,
    volume: index * 1_000,
    isInHistory: false,
    historyClose: null,
  },
  references: {
    previous: { day: 20_776 as EpochDay, close: 99 + index },
    monthBase: { day: 20_756 as EpochDay, close: 90 + index },
    yearBase: { day: 20_452 as EpochDay, close: 80 + index },
  },
  bar: makeLiveBar({
    day: 20_777 as EpochDay,
    minute: 29_916_000,
    open: 100 + index,
    high: 101 + index,
    low: 99 + index,
    last: 100 + index,
    volumeFrom: index * 900,
    volumeTo: index * 1_000,
    isRecorded: true,
  }),
}));

const listener = new Worker(`require('node:worker_threads').parentPort.on('message', () => {})`, {
  eval: true,
});
await measure('post objects', () => listener.postMessage(quotes, []));
await measure('post rows', () => listener.postMessage(toQuoteRows(quotes), []));
await listener.terminate();

async function measure(what: string, run: () => unknown): Promise<void> {
  for (let round = 0; round < rounds / 3; round += 1) run();
  const seconds = await secondsOf(() => {
    for (let round = 0; round < rounds; round += 1) run();
  });
  report(`${what}, ${count} quotes`, (seconds / rounds) * 1e6, 'µs');
  // Wait until the other thread has processed all messages.
  await sleep(300);
}
