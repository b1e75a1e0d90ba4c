import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fromEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { say } from '../../support/print.ts';
import type { Dataset } from '../cases/dataset.ts';
import { generateCloses } from '../cases/generated-closes.ts';
import { quoteColumns } from './servers/quote-database.ts';
import type { RunningSide, Setup, Side, WireQuote } from '../cases/side.ts';
import { startSqlServer } from './sql-server.ts';

const { version: fastifyVersion } = createRequire(import.meta.url)('fastify/package.json') as {
  readonly version: string;
};

/** Fastify with one query per request over SQLite, in the same process. */
export const fastifySqliteSide: Side = {
  name: 'sqlite',
  title: 'Fastify and SQLite',
  missing: async () => undefined,
  start: startFastifySqlite,
};

async function startFastifySqlite(setup: Setup): Promise<RunningSide> {
  const { dataset, cache, scratch, quotes, key } = setup;
  const loaded = join(cache, `rival-${basename(dataset.directory)}.db`);
  if (!existsSync(loaded)) await load(loaded, dataset);
  const file = join(scratch, 'rival.db');
  await copyFile(loaded, file);
  writeQuotes(file, dataset, quotes);
  const version = `Fastify ${fastifyVersion}, SQLite ${process.versions['sqlite'] ?? ''}`;
  return startSqlServer({ kind: 'sqlite', place: file, key, version });
}

async function load(file: string, { universe, rows }: Dataset): Promise<void> {
  say(`Loading ${rows.toLocaleString('en')} closes into the rival's SQLite, once …`);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const database = new DatabaseSync(unfinished);
  database.exec(
    `CREATE TABLE closes (especie TEXT, fecha TEXT, ultimo REAL, volumen REAL,
       PRIMARY KEY (especie, fecha)) WITHOUT ROWID;
     BEGIN`,
  );
  const insert = database.prepare('INSERT INTO closes VALUES (?, ?, ?, ?)');
  for (const instrument of universe.instruments) {
    for (const { day, close, volume } of generateCloses(instrument, instrument.position)) {
      insert.run(instrument.ticker, fromEpochDay(day), close, volume);
    }
  }
  database.exec('COMMIT');
  database.close();
  await rename(unfinished, file);
}

function writeQuotes(file: string, { universe }: Dataset, quotes: readonly WireQuote[]): void {
  const database = new DatabaseSync(file);
  database.exec(
    `CREATE TABLE quotes (especie TEXT PRIMARY KEY, fecha TEXT, hora TEXT, ultimo REAL,
       variacion REAL, anterior REAL, apertura REAL, minimo REAL, maximo REAL, varMTD REAL,
       varYTD REAL, volumen REAL) WITHOUT ROWID;
     CREATE TABLE panels (panel TEXT, position INTEGER, especie TEXT,
       PRIMARY KEY (panel, position)) WITHOUT ROWID;
     BEGIN`,
  );
  const insert = database.prepare(
    `INSERT INTO quotes VALUES (${quoteColumns.map(() => '?').join(', ')})`,
  );
  for (const quote of quotes) insert.run(...quoteColumns.map((name) => quote[name] ?? null));
  const member = database.prepare('INSERT INTO panels VALUES (?, ?, ?)');
  for (const [panel, members] of universe.panels) {
    for (const [position, { ticker }] of members.entries()) member.run(panel, position, ticker);
  }
  database.exec('COMMIT');
  database.close();
}
