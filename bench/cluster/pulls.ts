/**
 * Measures what the pulls of 1, 6 and 100 nodes cost the database, with 10,000 instruments of which 20 change a
 * second. Three ways run in turn, each in a server of its own: the program's, a read of the whole table as
 * before changes were noted, and an index on the version. The writer makes 20 commits a second of one quote each.
 * Then 1 and 6 nodes follow 2,000 changes a second, in 50 commits. The nodes are simulated: each one has the two
 * connections of a node that serves, and all of them run in one process without boards and clients.
 *
 * Usage: node bench/cluster/pulls.ts [SECONDS] [INSTRUMENTS]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import { onServer } from '../../test/support/postgres/on-server.ts';
import { startPostgres, type PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { storedQuote } from '../../test/support/market/stored-quote.ts';
import { readNumbers } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import type { PullReport } from './nodes/puller.ts';
import { universeOf } from './nodes/universe.ts';
import { placeDeps } from '../support/place-deps.ts';

const { seconds, instruments } = readNumbers(import.meta.filename, {
  seconds: 10,
  instruments: 10_000,
});
/** The loads: changes and commits a second, and numbers of nodes. */
const loads = [
  { changes: 20, commits: 20, nodes: [1, 6, 100] },
  { changes: 2_000, commits: 50, nodes: [1, 6] },
] as const;
const puller = new URL('nodes/puller.ts', import.meta.url).pathname;

const wholeTable =
  'SELECT ticker, version, state FROM bench.quotes WHERE version > $1 ORDER BY version';

/** The ways to pull. `sql`: the statement of a rival; `prepare`: what its table needs. */
const ways = [
  { name: 'notes of changes', sql: '', prepare: 'SELECT 1' },
  { name: 'whole table', sql: wholeTable, prepare: 'SELECT 1' },
  {
    name: 'index on version',
    sql: wholeTable,
    prepare: 'CREATE INDEX ON bench.quotes (version)',
  },
] as const;

const settings = {
  max_connections: '400',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  autovacuum_naptime: '5s',
};

/** What is measured at once. */
interface Case {
  readonly nodes: number;
  readonly load: (typeof loads)[number];
  readonly way: (typeof ways)[number];
}

async function main(): Promise<void> {
  say(`${instruments} instruments; ${seconds} s each`);
  for (const load of loads) {
    for (const nodes of load.nodes) {
      for (const way of ways) {
        await using server = await startPostgres({ isDurable: true, settings });
        const result = await measure(server, { nodes, load, way });
        say(`${load.changes} changes/s, ${nodes} nodes, ${way.name}: ${result}`);
      }
    }
  }
}

async function measure(server: PostgresServer, { nodes, load, way }: Case): Promise<string> {
  const url = server.url('bench');
  await using place = new PostgresPlace(url, placeDeps);
  await using claim = await place.claim({ id: 'bench', name: 'bench' });
  await using store = await place.open({ mode: 'create', claim });
  const tickers = universeOf(instruments).instruments.map(({ ticker }) => ticker);
  let version = 0;
  const next = (): number => (version += 1);
  await store.quotes.commit({ quotes: tickers.map((one) => storedQuote(one, next())), closes: [] });
  await onServer(server, `CREATE EXTENSION pg_stat_statements; ${way.prepare}; ANALYZE`);
  const child = fork(puller, [url, String(instruments), String(nodes), way.sql]);
  await new Promise((resolve) => child.once('message', resolve));

  const acknowledged = new Map<number, number>();
  const changes = load.changes / load.commits;
  const commit = async (): Promise<void> => {
    const quotes = Array.from({ length: changes }, () => {
      const own = next();
      return storedQuote(tickers[(own * 7_919) % instruments] ?? ('' as Ticker), own);
    });
    await store.quotes.commit({ quotes, closes: [] });
    acknowledged.set(version, performance.timeOrigin + performance.now());
  };
  // The nodes have read everything once, and the statements are prepared.
  for (let at = 0; at < 8; at += 1) {
    await commit();
    await sleep(100);
  }
  const idle = await connectionsOf(server);
  await onServer(server, 'SELECT pg_stat_statements_reset()');
  child.send('reset');
  const before = await busyOf(server);
  const begun = systemClock.monotonic();
  for (let at = 0; at < seconds * load.commits; at += 1) {
    await sleep(Math.max(0, begun + (at * 1_000) / load.commits - systemClock.monotonic()));
    await commit();
  }
  await sleep(Math.max(0, begun + seconds * 1_000 - systemClock.monotonic()));
  const elapsed = (systemClock.monotonic() - begun) / 1_000;
  const busy = (await busyOf(server)) - before;
  const { pull, commit: commitMs } = await statementsOf(server);
  const report = await endOf(child);
  const delays = report.seen
    .flatMap(([own, at]) => {
      const from = acknowledged.get(own);
      return from === undefined ? [] : [at - from];
    })
    .sort((a, b) => a - b);
  const part = (share: number): string =>
    figure(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN);
  return (
    `${figure(report.pulls / elapsed)} pulls/s, server ${figure(pull)} ms each; ` +
    `a commit ${figure(commitMs)} ms; server busy ${figure((busy / elapsed) * 100)} % of a core; ` +
    `${figure(report.bytes / elapsed / 1_024)} KiB/s to all nodes; ${idle} connections; ` +
    `visible after p50 ${part(0.5)} ms, p99 ${part(0.99)} ms; ` +
    `${report.position === version ? 'all' : 'not all'} nodes have the last version`
  );
}

/** Processor time of all processes of the server, in seconds. */
async function busyOf({ directory }: PostgresServer): Promise<number> {
  const [pid = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split(
    '\n',
  );
  return processorTime(Number(pid));
}

/** Number of connections of the place. */
async function connectionsOf(server: PostgresServer): Promise<number> {
  const rows = await onServer(
    server,
    `SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^pizarra '`,
  );
  return Number(rows[0]?.[0]);
}

/** Mean time of a pull and of a commit in the server, planning included, in milliseconds. */
async function statementsOf(
  server: PostgresServer,
): Promise<{ readonly pull: number; readonly commit: number }> {
  const rows = await onServer(
    server,
    `SELECT ${mean('is_complete|^SELECT ticker, version')}, ${mean('quotes_put')}`,
  );
  const [pull, commit] = rows[0] ?? [];
  return { pull: Number(pull), commit: Number(commit) };
}

function mean(pattern: string): string {
  const sums = 'sum(total_plan_time + total_exec_time) / sum(calls)';
  return `(SELECT ${sums} FROM pg_stat_statements WHERE query ~ '${pattern}')`;
}

async function endOf(child: ChildProcess): Promise<PullReport> {
  const report = new Promise<PullReport>((resolve) =>
    child.once('message', (message) => resolve(message as PullReport)),
  );
  child.send('end');
  return report;
}

await main();
