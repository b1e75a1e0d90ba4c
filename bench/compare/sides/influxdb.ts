import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { say } from '../../support/print.ts';
import { cores, PinnedProcess, whichProgram } from '../../support/pinned-process.ts';
import type { Question } from '../cases/cases.ts';
import type { Dataset } from '../cases/dataset.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { generateCloses } from '../cases/generated-closes.ts';
import { quoteColumns } from './servers/quote-database.ts';
import type { OwnAnswer, RunningSide, Setup, Side, WireQuote } from '../cases/side.ts';

const run = promisify(execFile);
const secondsPerDay = 86_400;

/**
 * InfluxDB 1.x with its own HTTP API. Closes and quotes are measurements with a tag for the instrument, and
 * for quotes also for the panel. It checks no key, and its JSON has another structure.
 */
export const influxdbSide: Side = {
  name: 'influxdb',
  title: 'InfluxDB 1.x',
  missing: async () =>
    (await whichProgram('influxd')) === undefined ? 'InfluxDB 1.x (Debian: influxdb)' : undefined,
  start: startInfluxdb,
};

async function startInfluxdb(setup: Setup): Promise<RunningSide> {
  const { dataset, cache, scratch, quotes, key } = setup;
  const loaded = join(cache, `rival-${basename(dataset.directory)}.influxdb`);
  if (!existsSync(loaded)) await load(loaded, dataset);
  const directory = join(scratch, 'influxdb');
  await cp(loaded, directory, { recursive: true });
  const server = await startServer(directory);
  await write(server.origin, quoteLines(dataset, quotes));
  const { stdout } = await run((await whichProgram('influxd')) ?? 'influxd', ['version']);
  return {
    origin: server.origin,
    key,
    pids: [server.child.pid],
    version: stdout.trim().split(' (')[0] ?? '',
    target: (question) => `/query?db=bench&epoch=s&q=${encodeURIComponent(queryOf(question))}`,
    agrees: hasAllRows,
    updates: {
      url: `${server.origin}/write?db=bench&precision=ms`,
      authorization: '',
      format: 'line-protocol',
    },
    [Symbol.asyncDispose]: () => server.child[Symbol.asyncDispose](),
  };
}

async function startServer(
  directory: string,
): Promise<{ readonly child: PinnedProcess; readonly origin: string }> {
  const [http, rpc] = await Promise.all([unusedPort(), unusedPort()]);
  const configuration = join(directory, 'influxdb.conf');
  await writeFile(
    configuration,
    `reporting-disabled = true
bind-address = "127.0.0.1:${rpc}"
[meta]
dir = "${directory}/meta"
[data]
dir = "${directory}/data"
wal-dir = "${directory}/wal"
query-log-enabled = false
[http]
bind-address = "127.0.0.1:${http}"
log-enabled = false
[logging]
level = "error"
[monitor]
store-enabled = false
`,
  );
  const child = new PinnedProcess({
    core: cores.server,
    command: (await whichProgram('influxd')) ?? 'influxd',
    args: ['run', '-config', configuration],
  });
  await child.listens(http);
  return { child, origin: `http://127.0.0.1:${http}` };
}

async function load(directory: string, dataset: Dataset): Promise<void> {
  say(`Loading ${dataset.rows.toLocaleString('en')} closes into InfluxDB, once …`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await using running = new AsyncDisposableStack();
  const { child, origin } = await startServer(unfinished);
  running.use(child);
  // Use one shard. With the default of one per week, twenty years would need a thousand shards.
  const statement = 'CREATE DATABASE bench WITH DURATION INF SHARD DURATION 2000w';
  await post(`${origin}/query?q=${encodeURIComponent(statement)}`, '');
  for (const instrument of dataset.universe.instruments) {
    const tag = escapeTag(instrument.ticker);
    const lines = generateCloses(instrument, instrument.position).map(
      ({ day, close, volume }) =>
        `closes,especie=${tag} ultimo=${close}${volume === null ? '' : `,volumen=${volume}`} ${day * secondsPerDay}`,
    );
    await write(origin, lines);
  }
  await running.disposeAsync();
  await rename(unfinished, directory);
}

function quoteLines({ universe }: Dataset, quotes: readonly WireQuote[]): readonly string[] {
  return quotes.map((quote) => {
    const panels = [...universe.panels]
      .filter(([, members]) => members.some(({ ticker }) => ticker === quote.especie))
      .map(([panel]) => `,${panel}=1`);
    const fields = quoteColumns.flatMap((name) => {
      const value = quote[name];
      if (name === 'especie' || value === undefined || value === null) return [];
      return typeof value === 'number' ? `${name}=${value}` : `${name}="${value}"`;
    });
    const at = Date.parse(`${quote.fecha}T00:00:00Z`) / 1000;
    return `quotes,especie=${escapeTag(quote.especie)}${panels.join('')} ${fields.join(',')} ${at}`;
  });
}

function queryOf(question: Question): string {
  switch (question.kind) {
    case 'quotes': {
      const either = question.tickers.map((ticker) => `especie='${ticker}'`).join(' OR ');
      return `SELECT * FROM quotes WHERE ${either} GROUP BY especie ORDER BY time DESC LIMIT 1`;
    }
    case 'panel':
      return `SELECT * FROM quotes WHERE ${question.panel}='1' GROUP BY especie ORDER BY time DESC LIMIT 1`;
    case 'history':
      return `SELECT ultimo, volumen FROM closes WHERE especie='${question.ticker}' AND time >= '${question.from}' AND time <= '${question.to}'`;
  }
}

/** Compares the number of rows only, because the structure of the JSON is different. */
function hasAllRows(body: Buffer, own: OwnAnswer): boolean {
  const { results } = JSON.parse(body.toString()) as {
    readonly results: readonly {
      readonly series?: readonly { readonly values: readonly unknown[] }[];
    }[];
  };
  const series = results[0]?.series ?? [];
  const rows = series.reduce((sum, { values }) => sum + values.length, 0);
  return rows === (JSON.parse(own.body.toString()) as readonly unknown[]).length;
}

/** Writes points in batches of a moderate size. */
async function write(origin: string, lines: readonly string[]): Promise<void> {
  const piece = 5_000;
  for (let from = 0; from < lines.length; from += piece) {
    const body = lines.slice(from, from + piece).join('\n');
    await post(`${origin}/write?db=bench&precision=s`, body);
  }
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  if (!response.ok) throw new Error(`the request to InfluxDB got ${response.status}: ${text}`);
}

function escapeTag(value: string): string {
  return value.replaceAll(/[ ,=]/g, String.raw`\$&`);
}
