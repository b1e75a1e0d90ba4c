/**
 * The speed of an import, in a process that is pinned to one core: a generated file of Rava's layout into a
 * new SQLite store. The rival is `sqlite3 .import` into a table with the same key, if that program is
 * installed. It is C code that checks nothing. The two take turns. The bench also prints the peak memory for
 * a file and for one four times as long, which must not grow, and the same figures for the rows as JSON.
 *
 * Usage: node bench/history/import.ts [ROWS]
 */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

import { fromEpochDay, isoWeekday } from '../../src/domain/calendar/plain-date.ts';
import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import { readNumbers } from '../support/arguments.ts';
import { say } from '../support/print.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const run = promisify(execFile);
const { rows } = readNumbers(import.meta.filename, { rows: 2_000_000 });
const rowsPerInstrument = 5_000;
const rounds = 3;
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

const universe = await writeUniverse(Math.ceil((rows * 4) / rowsPerInstrument));
const once = await writeHistory('once.csv', rows);
const four = await writeHistory('four.csv', rows * 4);

const ratios: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const ours = await importFile(once, rows, universe);
  const theirs = await importWithSqlite(once, rows);
  print(`pizarra import, ${rows} rows`, ours);
  if (theirs === undefined) continue;
  print(`sqlite3 .import, ${rows} rows`, theirs);
  ratios.push(ours.rowsPerSecond / theirs.rowsPerSecond);
}
if (ratios.length === 0) say('sqlite3 is not installed, so there is no rival');
else say(`pizarra ÷ sqlite3: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
print(`pizarra import, ${rows * 4} rows`, await importFile(four, rows * 4, universe));
for (const [name, count] of [
  ['quarter.json', rows / 4],
  ['once.json', rows],
] as const) {
  const file = await writeHistory(name, count);
  print(`pizarra import, ${count} rows of JSON`, await importFile(file, count, universe));
}

interface Measured {
  readonly rowsPerSecond: number;
  /** Rows per second of processor time, which is the speed on an otherwise idle core. */
  readonly rowsPerCpuSecond: number | undefined;
  readonly peakMiB: number | undefined;
}

function print(what: string, { rowsPerSecond, rowsPerCpuSecond, peakMiB }: Measured): void {
  const rate = Math.round(rowsPerSecond).toLocaleString('en');
  const cpu =
    rowsPerCpuSecond === undefined
      ? ''
      : ` (${Math.round(rowsPerCpuSecond).toLocaleString('en')} rows/s of processor time)`;
  const memory = peakMiB === undefined ? '' : `, peak ${Math.round(peakMiB)} MiB`;
  say(`${what}: ${rate} rows/s${cpu}${memory}`);
}

async function importFile(
  file: string,
  count: number,
  universeDirectory: string,
): Promise<Measured> {
  const data = join(directory, 'data');
  const script = join(import.meta.dirname, 'import/import-once.ts');
  const started = performance.now();
  const { stdout } = await run('taskset', [
    '-c',
    '0',
    process.execPath,
    script,
    file,
    data,
    universeDirectory,
  ]);
  const seconds = (performance.now() - started) / 1000;
  await rm(data, { recursive: true });
  const { added, peakKiB, cpuSeconds } = JSON.parse(stdout) as {
    readonly added: number;
    readonly peakKiB: number;
    readonly cpuSeconds: number;
  };
  if (added !== count) throw new Error(`${added} of ${count} rows were added`);
  return {
    rowsPerSecond: count / seconds,
    rowsPerCpuSecond: count / cpuSeconds,
    peakMiB: peakKiB / 1024,
  };
}

async function importWithSqlite(file: string, count: number): Promise<Measured | undefined> {
  const database = join(directory, 'rival.db');
  const commands = [
    'PRAGMA journal_mode = WAL;',
    'CREATE TABLE closes (especie TEXT, fecha TEXT, apertura REAL, maximo REAL, minimo REAL, cierre REAL, volumen REAL, timestamp INTEGER, PRIMARY KEY (especie, fecha)) WITHOUT ROWID;',
    `.import --csv --skip 1 ${file} closes`,
  ];
  const started = performance.now();
  try {
    await run('taskset', ['-c', '0', 'sqlite3', database, ...commands]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 127) return undefined;
    throw error;
  }
  const seconds = (performance.now() - started) / 1000;
  await rm(database);
  return { rowsPerSecond: count / seconds, rowsPerCpuSecond: undefined, peakMiB: undefined };
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

/** Writes a universe with the default markets and panels, and with the instruments of the generated file. */
async function writeUniverse(instruments: number): Promise<string> {
  const from = join(import.meta.dirname, '../../universe');
  const to = join(directory, 'universe');
  await mkdir(to);
  const template = await readFile(join(from, 'instruments.csv'), 'utf8');
  const [header = ''] = template.split('\n');
  const columns = header.trim().split(',');
  const values: Record<string, string> = { kind: 'share', market: 'BYMA', currency: 'ARS' };
  const rowOf = (ticker: string) =>
    columns
      .map((column) => (column === 'ticker' || column === 'name' ? ticker : (values[column] ?? '')))
      .join(',');
  const generated = Array.from({ length: instruments }, (_, index) => rowOf(`T${index}`));
  const kept = template.trimEnd();
  await writeFile(join(to, 'instruments.csv'), `${[kept, ...generated].join('\n')}\n`);
  for (const file of ['markets.yaml', 'panels.yaml', 'derived.yaml']) {
    await writeFile(join(to, file), await readFile(join(from, file)));
  }
  return to;
}
