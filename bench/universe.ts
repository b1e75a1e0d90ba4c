/**
 * The time to load a universe of 100,000 instruments, compared with only splitting the same file into cells:
 * by newline and comma (which cannot read quoted cells and checks nothing), and with the CSV parser alone. The
 * aim is less than 3 s.
 *
 * Usage: node bench/universe.ts [INSTRUMENTS]
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import Papa from 'papaparse';
import { formatUniverseFaults } from '../src/universe/format-universe-faults.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { say } from './support/print.ts';
import { scratchDirectory } from './support/scratch-directory.ts';

const rounds = 5;
const instruments = Number(process.argv[2] ?? 100_000);
const kinds = ['share', 'cedear', 'etf', 'bond', 'crypto'];
const markets = ['BYMA', 'NYSE', 'NASDAQ', 'BYMA', 'CRIPTO'];
const panels = ['LID', 'CED', 'ETF;VARIAS', 'BONOS', ''];

await using scratch = await scratchDirectory();
const directory = scratch.path;

await cp(resolve(import.meta.dirname, '../universe'), directory, { recursive: true });
const file = join(directory, 'instruments.csv');
await writeFile(file, table());
await writeFile(join(directory, 'derived.yaml'), 'derived: { T1: { alias: T0 } }\n');

const ours = await best(async () => {
  const result = await loadUniverse(directory);
  if (!result.ok) throw new Error(formatUniverseFaults(result.faults));
  return result.universe.instruments.length;
});
const parsed = await best(async () => Papa.parse(await readFile(file, 'utf8')).data.length);
const split = await best(async () => {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.map((line) => line.split(',')).length;
});

report('load and check the universe', ours);
report('only parse the CSV', parsed, ours);
report('only split lines and commas', split, ours);

function table(): string {
  const rows = Array.from({ length: instruments }, (_, index) => {
    const kind = index % kinds.length;
    return `T${index},"Instrument, number ${index}",${kinds[kind]},${markets[kind]},ARS,2,percent,${panels[kind]}`;
  });
  return ['ticker,name,kind,market,currency,decimals,change_unit,panels', ...rows, ''].join('\n');
}

/** The shortest of several rounds, in milliseconds. It is the least affected by other load. */
async function best(work: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const count = await work();
    shortest = Math.min(shortest, performance.now() - start);
    if (count < instruments) throw new Error(`only ${count} of ${instruments}`);
  }
  return shortest;
}

function report(what: string, ms: number, oursMs?: number): void {
  const rate = Math.round((instruments / ms) * 1_000).toLocaleString('en');
  const ratio = oursMs === undefined ? '' : `  (we take ${(oursMs / ms).toFixed(1)} times as long)`;
  const line = `${what.padEnd(30)} ${ms.toFixed(0).padStart(6)} ms  ${rate.padStart(11)} instruments/s`;
  say(`${line}${ratio}`);
}
