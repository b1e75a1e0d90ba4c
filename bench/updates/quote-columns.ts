/**
 * The cost, for the thread that answers requests, of sending a commit of quotes to the writing thread: as
 * objects, as JSON, and as the columns that the store uses.
 *
 * Usage: node bench/updates/quote-columns.ts [QUOTES]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import type { EpochDay, PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { packQuotes, unpackQuotes } from '../../src/store/sqlite/rows/quote-columns.ts';
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
}));

const listener = new Worker(`require('node:worker_threads').parentPort.on('message', () => {})`, {
  eval: true,
});
const post = (message: unknown, transfer: ArrayBuffer[] = []): void =>
  listener.postMessage(message, transfer);
await measure('post objects', () => post(quotes));
await measure('post JSON', () => post(JSON.stringify(quotes)));
await measure('post columns', () => {
  const columns = packQuotes(quotes);
  post(columns, [columns.numbers.buffer]);
});
const columns = packQuotes(quotes);
const json = JSON.stringify(quotes);
await measure('in the other thread: unpack columns', () => unpackQuotes(columns));
await measure('in the other thread: parse JSON', () => JSON.parse(json) as unknown);
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
