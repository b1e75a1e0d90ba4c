/**
 * The memory and the speed of an import, in a process that is pinned to one core: generated files of Rava's
 * layout into a new SQLite store. The peak memory must not grow with the file, so it is measured for a file and
 * for one four times as long, as CSV and as JSON.
 *
 * Usage: node bench/history/import.ts [ROWS]
 */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { fromEpochDay, isoWeekday, type EpochDay } from '../../src/domain/calendar/plain-date.ts';
import { readNumbers } from '../support/arguments.ts';
import { writeAlwaysOpenUniverse } from '../support/always-open-universe.ts';
import { say } from '../support/print.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const run = promisify(execFile);
const { rows } = readNumbers(import.meta.filename, { rows: 2_000_000 });
const rowsPerInstrument = 5_000;
const lastDay = 20_000;
const historyColumns = [
  'especie',
  'fecha',
  'apertura',
  'maximo',
  'minimo',
  'cierre',
  'volumen',
  'timestamp',
];

await using scratch = await scratchDirectory();
const directory = scratch.path;

// Closes of holidays are no closes, so all markets are always open.
const universe = join(directory, 'universe');
const tickers = Array.from(
  { length: Math.ceil((rows * 4) / rowsPerInstrument) },
  (_, at) => `T${at}`,
);
const otherCells = 'share,BYMA,ARS,,,,,,';
await writeAlwaysOpenUniverse(
  universe,
  tickers.map((ticker) => `${ticker},${ticker},${otherCells}`),
);

const once = await writeHistory('once.csv', rows);
const four = await writeHistory('four.csv', rows * 4);

for (const [file, count] of [
  [once, rows],
  [four, rows * 4],
] as const) {
  print(`${count} rows of CSV`, await importFile(file, count, universe));
}
for (const [name, count] of [
  ['quarter.json', rows / 4],
  ['once.json', rows],
] as const) {
  const file = await writeHistory(name, count);
  print(`${count} rows of JSON`, await importFile(file, count, universe));
}

interface Measured {
  /** Rows per second of processor time, which is the speed on an otherwise idle core. */
  readonly rowsPerCpuSecond: number;
  readonly peakMiB: number;
}

function print(what: string, { rowsPerCpuSecond, peakMiB }: Measured): void {
  const rate = Math.round(rowsPerCpuSecond).toLocaleString('en');
  say(`${what}: ${rate} rows/s of processor time, peak ${Math.round(peakMiB)} MiB`);
}

async function importFile(
  file: string,
  count: number,
  universeDirectory: string,
): Promise<Measured> {
  const data = join(directory, 'data');
  const script = join(import.meta.dirname, 'import/import-once.ts');
  const { stdout } = await run('taskset', [
    '-c',
    '0',
    process.execPath,
    script,
    file,
    data,
    universeDirectory,
  ]);
  await rm(data, { recursive: true });
  const { added, peakKiB, cpuSeconds } = JSON.parse(stdout) as {
    readonly added: number;
    readonly peakKiB: number;
    readonly cpuSeconds: number;
  };
  if (added !== count) throw new Error(`${added} of ${count} rows were added`);
  return {
    rowsPerCpuSecond: count / cpuSeconds,
    peakMiB: peakKiB / 1024,
  };
}

async function writeHistory(name: string, count: number): Promise<string> {
  const path = join(directory, name);
  const stream = createWriteStream(path);
  const isJson = name.endsWith('.json');
  stream.write(isJson ? '[' : `${historyColumns.join(',')}\n`);
  for (let written = 0; written < count; written += rowsPerInstrument) {
    const lines = series(`T${written / rowsPerInstrument}`);
    const comma = written === 0 ? '' : ',';
    const text = isJson ? comma + lines.map(jsonObject).join(',') : `${lines.join('\n')}\n`;
    if (!stream.write(text)) await new Promise((resolve) => void stream.once('drain', resolve));
  }
  await new Promise<void>((resolve) => void stream.end(isJson ? ']' : '', () => resolve()));
  return path;
}

function jsonObject(line: string): string {
  const cells = line
    .split(',')
    .map((cell, at) => [historyColumns[at], at < 2 ? cell : Number(cell)]);
  return JSON.stringify(Object.fromEntries(cells));
}

function series(ticker: string): readonly string[] {
  const lines: string[] = [];
  let day = lastDay;
  while (lines.length < rowsPerInstrument) {
    day -= 1;
    if (isoWeekday(day as EpochDay) > 5) continue;
    const close = 100 + ((day * 37) % 500) / 100;
    const date = fromEpochDay(day as EpochDay);
    lines.push(
      `${ticker},${date},${close - 0.5},${close + 1.25},${close - 1.25},${close},${day * 1000},${day * 86_400}`,
    );
  }
  // Oldest first, as in Rava's files.
  return lines.toReversed();
}
