/**
 * Runs Pizarra as a cluster over a real PostgreSQL, with faults of nodes, networks and databases
 * (docs/scaling.md). A client pushes and remembers every acknowledgement; readers poll every node.
 *
 * `npm run test:cluster -- --rounds 100`; `--database patroni` runs three servers under Patroni;
 * `--fault 'kill writer'` repeats one fault; `--late report` accepts take-over that is later than promised.
 */
import { parseArgs } from 'node:util';

import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { helpIfRequested } from '../support/program/help-if-requested.ts';
import { Cluster } from './cluster.ts';
import { behindFaults } from './behind-faults.ts';
import { nodeFaults, type Fault } from './cluster-faults.ts';
import { databaseFaults } from './database-faults.ts';
import { PatroniDatabase } from './database/patroni-database.ts';
import { lacksPatroni } from './database/patroni-programs.ts';
import { SingleDatabase } from './database/single-database.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

helpIfRequested(import.meta.filename);
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    database: { type: 'string', default: 'single' },
    fault: { type: 'string' },
    /** `fail` or `report` a take-over that is later than promised, as on a machine that is busy. */
    late: { type: 'string', default: 'fail' },
  },
});
const lacks = values.database === 'patroni' ? lacksPatroni() : lacksPostgres();
if (lacks === false) await run();
else print(`SKIPPED: ${lacks}`);

async function run(): Promise<void> {
  const database =
    values.database === 'patroni' ? await PatroniDatabase.start() : await SingleDatabase.start();
  const faults = [...nodeFaults, ...databaseFaults(database), ...behindFaults];
  const chosen = faults.filter(({ name }) => values.fault === undefined || name === values.fault);
  if (chosen.length === 0) {
    throw new Error(`no such fault; one of ${faults.map(({ name }) => name).join(', ')}`);
  }
  await using cluster = await Cluster.start(database);
  const times = new Map<string, number[]>();
  const findings: string[] = [];
  const stopping = new AbortController();
  // Nodes and servers would otherwise run on. A second signal ends the program at once.
  process.once('SIGINT', () => stopping.abort());
  for (let round = 0; round < Number(values.rounds) && !stopping.signal.aborted; round += 1) {
    const fault = chosen[round % chosen.length] as Fault;
    findings.push(...(await play(cluster, fault, round, times)));
  }
  findings.push(...cluster.findings);
  report(cluster, times, findings);
}

async function play(
  cluster: Cluster,
  fault: Fault,
  round: number,
  times: Map<string, number[]>,
): Promise<readonly string[]> {
  try {
    const { takeOverMs, findings = [], notes = [], skipped } = await fault.happen(cluster);
    await cluster.converges();
    const time =
      takeOverMs === undefined ? '' : `, next acknowledgement ${takeOverMs.toFixed(0)} ms`;
    const reason = skipped === undefined ? '' : `, SKIPPED: ${skipped}`;
    print(`round ${round + 1}: ${fault.name}${time}${reason}`);
    for (const note of notes) print(`  ${note}`);
    if (takeOverMs !== undefined) {
      times.set(fault.name, [...(times.get(fault.name) ?? []), takeOverMs]);
    }
    const isLate = (takeOverMs ?? 0) > (fault.takeOverMsMax ?? Infinity);
    const late =
      isLate && values.late === 'fail'
        ? [`${takeOverMs?.toFixed(0)} ms until the next acknowledgement`]
        : [];
    return [...findings, ...late].map((text) => `round ${round + 1}, ${fault.name}: ${text}`);
  } catch (failure) {
    for (const { name, log } of cluster.nodes) print(`--- ${name}\n${log.slice(-4_000)}`);
    for (const finding of new Set(cluster.findings)) print(`FINDING: ${finding}`);
    throw new Error(`round ${round + 1}, ${fault.name}`, { cause: failure });
  }
}

function report(
  { pusher, readers }: Cluster,
  times: ReadonlyMap<string, readonly number[]>,
  findings: readonly string[],
): void {
  for (const [name, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
    print(`${name}: ${all.length} times, median ${at(0.5)} ms, maximum ${at(1)} ms`);
  }
  const reads = readers.reduce((sum, one) => sum + one.reads, 0);
  print(
    `${pusher.acknowledgements} batches acknowledged, ${pusher.refusals} refused, ${reads} reads`,
  );
  for (const finding of new Set(findings)) print(`FINDING: ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
}
