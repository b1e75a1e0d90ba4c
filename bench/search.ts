/**
 * The processor time of one search by ticker and name over 10,000 instruments, compared with a query of the same
 * ranking over the same folded texts in an SQLite database in memory. A search takes place on the thread
 * that answers requests, so it must take less than 5 ms.
 *
 * Usage: node bench/search.ts
 */
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InstrumentSearch, foldForSearch } from '../src/domain/instruments/instrument-search.ts';
import type { Instrument } from '../src/domain/instruments/instrument.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { say } from './support/print.ts';
import { spreadOf } from './support/statistics.ts';

const count = 10_000;
const max = 50;
const batches = 9;
const callsPerBatch = 50;
const searches = ['a', 'ga', 'galicia', 'ypfd', 'dólar mep', 'banco sa', 's.a.', 'zzzz'];

const result = await loadUniverse(resolve(import.meta.dirname, '../universe'));
if (!result.ok) throw new Error('the default universe has faults');
const instruments = copies(result.universe.instruments);

let index = new InstrumentSearch(instruments);
const buildMs = timesOf(5, () => {
  index = new InstrumentSearch(instruments);
});
say(`folding ${count} instruments: ${shown(buildMs)}`);

using database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE instruments (position INTEGER PRIMARY KEY, ticker TEXT, name TEXT)');
const insert = database.prepare('INSERT INTO instruments VALUES (?, ?, ?)');
for (const { position, ticker, name } of instruments) {
  insert.run(position, foldForSearch(ticker), foldForSearch(name));
}
// One word only: SQL has no short way to rank several.
const select = database.prepare(`
  SELECT position FROM instruments
  WHERE instr(ticker, ?1) OR instr(name, ?1)
  ORDER BY CASE
    WHEN ticker = ?1 THEN 0
    WHEN instr(ticker, ?1) = 1 THEN 1
    WHEN instr(' ' || name, ' ' || ?1) THEN 2
    ELSE 3 END, position
  LIMIT ${max}`);

for (const text of searches) {
  const folded = foldForSearch(text);
  const own = timesOf(callsPerBatch, () => index.find(folded, { among: instruments, max }));
  const found = index.find(folded, { among: instruments, max }).length;
  const sql = timesOf(callsPerBatch, () => select.all(folded));
  const rival = folded.includes(' ') ? '' : `, SQLite ${shown(sql)}`;
  say(`${text}: ${found} found, ${shown(own)}${rival}`);
}

/** The default universe again and again, under further tickers, until there are enough. */
function copies(from: readonly Instrument[]): readonly Instrument[] {
  return Array.from({ length: count }, (_, position) => {
    const original = from[position % from.length];
    if (original === undefined) throw new Error('the default universe is empty');
    const round = Math.floor(position / from.length);
    const ticker = round === 0 ? original.ticker : (`${original.ticker}.${round}` as Ticker);
    return { ...original, ticker, position };
  });
}

/**
 * The mean processor time of a call in each of several batches, in milliseconds. The clock of the
 * processor is too coarse for one call. The load of the machine hardly affects it.
 */
function timesOf(calls: number, work: () => unknown): readonly number[] {
  return Array.from({ length: batches }, () => {
    const from = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) work();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000 / calls;
  });
}

function shown(times: readonly number[]): string {
  const { median, least, most } = spreadOf(times);
  return `${median.toFixed(2)} ms (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
