import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { fromEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { say } from '../../support/print.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import type { Dataset } from '../cases/dataset.ts';
import { generateCloses } from '../cases/generated-closes.ts';
import { quoteColumns } from './servers/quote-database.ts';
import type { RunningSide, Setup, Side, WireQuote } from '../cases/side.ts';
import { startSqlServer } from './sql-server.ts';

const run = promisify(execFile);
const installations = '/usr/lib/postgresql';

/** Fastify with one query per request over PostgreSQL with its default settings, on the same core. */
export const fastifyPostgresSide: Side = {
  name: 'postgres',
  title: 'Fastify and PostgreSQL',
  missing: async () =>
    (await programs()) === undefined ? 'PostgreSQL (Debian: postgresql)' : undefined,
  start: startFastifyPostgres,
};

/** The directory of the programs of the newest installed PostgreSQL. */
async function programs(): Promise<string | undefined> {
  const versions = await readdir(installations).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(installations, newest, 'bin');
}

type User = { readonly uid: number; readonly gid: number } | undefined;

/** The user for PostgreSQL, which refuses to run as root: the user that its package created. */
async function databaseUser(): Promise<User> {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [flag, 'postgres'])).stdout);
}

async function startFastifyPostgres(setup: Setup): Promise<RunningSide> {
  const { dataset, cache, scratch, quotes, key } = setup;
  const bin = (await programs()) ?? '';
  const user = await databaseUser();
  const loaded = join(cache, `rival-${basename(dataset.directory)}.postgres`);
  if (!existsSync(loaded)) await load(loaded, { bin, user, dataset });
  const directory = join(scratch, 'postgres');
  // A cluster only starts with the correct owners and modes.
  await run('cp', ['--archive', '--reflink=auto', loaded, directory]);
  await using started = new AsyncDisposableStack();
  const database = started.use(await startPostgres(directory, { bin, user }));
  await writeQuotes(directory, dataset, quotes);
  const { stdout } = await run(join(bin, 'postgres'), ['--version']);
  const server = started.use(
    await startSqlServer({ kind: 'postgres', place: directory, key, version: stdout.trim() }),
  );
  const running = started.move();
  return {
    ...server,
    pids: [...server.pids, database.pid],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startPostgres(
  directory: string,
  { bin, user }: { readonly bin: string; readonly user: User },
): Promise<PinnedProcess> {
  const child = new PinnedProcess({
    core: cores.server,
    command: join(bin, 'postgres'),
    args: ['-D', directory, '-k', directory, '-c', 'listen_addresses='],
    user,
    // SIGINT is the fast shutdown, which does not wait for clients.
    stopSignal: 'SIGINT',
  });
  await child.printed(/ready to accept connections/);
  return child;
}

async function load(
  directory: string,
  { bin, user, dataset }: { readonly bin: string; readonly user: User; readonly dataset: Dataset },
): Promise<void> {
  say(`Loading ${dataset.rows.toLocaleString('en')} closes into PostgreSQL, once …`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (user !== undefined) await chown(unfinished, user.uid, user.gid);
  const args = ['-D', unfinished, '-U', 'postgres', '--auth=trust', '--encoding=UTF8'];
  await run(join(bin, 'initdb'), [...args, '--locale=C.UTF-8'], user ?? {});
  {
    await using running = new AsyncDisposableStack();
    running.use(await startPostgres(unfinished, { bin, user }));
    const { sql } = running.use(clientOf(unfinished));
    await sql`CREATE TABLE closes (especie text, fecha date, ultimo float8, volumen float8)`;
    const copy = await sql`COPY closes FROM STDIN`.writable();
    await pipeline(Readable.from(copyLines(dataset)), copy);
    await finished(copy).catch(() => undefined);
    await sql`ALTER TABLE closes ADD PRIMARY KEY (especie, fecha)`;
    await sql`VACUUM ANALYZE closes`;
  }
  await rename(unfinished, directory);
}

function* copyLines({ universe }: Dataset): Iterable<string> {
  for (const instrument of universe.instruments) {
    let text = '';
    for (const { day, close, volume } of generateCloses(instrument, instrument.position)) {
      text += `${instrument.ticker}\t${fromEpochDay(day)}\t${close}\t${volume ?? '\\N'}\n`;
    }
    yield text;
  }
}

async function writeQuotes(
  directory: string,
  { universe }: Dataset,
  quotes: readonly WireQuote[],
): Promise<void> {
  await using client = clientOf(directory);
  const { sql } = client;
  await sql`CREATE TABLE quotes (especie text PRIMARY KEY, fecha text, hora text, ultimo float8,
    variacion float8, anterior float8, apertura float8, minimo float8, maximo float8,
    "varMTD" float8, "varYTD" float8, volumen float8)`;
  await sql`CREATE TABLE panels (panel text, position int, especie text,
    PRIMARY KEY (panel, position))`;
  const rows = quotes.map((quote) =>
    Object.fromEntries(quoteColumns.map((name) => [name, quote[name] ?? null])),
  );
  await sql`INSERT INTO quotes ${sql(rows, ...quoteColumns)}`;
  const members = [...universe.panels].flatMap(([panel, instruments]) =>
    instruments.map(({ ticker }, position) => ({ panel, position, especie: ticker })),
  );
  await sql`INSERT INTO panels ${sql(members)}`;
  await sql`VACUUM ANALYZE quotes`;
  await sql`VACUUM ANALYZE panels`;
}

function clientOf(directory: string): AsyncDisposable & { readonly sql: postgres.Sql } {
  const sql = postgres({ host: directory, username: 'postgres', database: 'postgres', max: 1 });
  return { sql, [Symbol.asyncDispose]: () => sql.end() };
}
