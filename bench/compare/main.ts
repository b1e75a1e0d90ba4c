/**
 * What the service costs, beside other servers or beside other checkouts of the project. All sides take turns, so
 * that what else the machine does affects all of them. A figure of another side than the first is followed by its
 * ratio to the first one, the median of the ratios of the rounds.
 *
 * Usage: npm run bench -- [FOLDER...] [--cases NAMES] [--rounds N] [--seconds S]
 *
 * Without a folder, this checkout is measured beside nginx, which serves the same responses from files, and beside a
 * bare server on the same Node. With several, the checkouts are compared with the first: each has its packages (npm
 * ci) and its build (npm run build), and its data are prepared by its own commands. bench/README.md explains the
 * cases. nginx, openssl and taskset must be installed.
 */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { formatTable } from '../../src/commands/form/report.ts';
import { helpIfRequested } from '../../test/support/program/help-if-requested.ts';
import { cores } from '../support/pinned-process.ts';
import { figure, say } from '../support/print.ts';
import { untilIdle } from '../support/process-tree.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { median } from '../support/statistics.ts';
import { caseNames, caseOf, type CaseName } from './measured/cases.ts';
import {
  carriers,
  Checkout,
  makeSetting,
  type Carrier,
  type Server,
  type Service,
} from './measured/checkout.ts';
import { fixResponses, rivals } from './measured/rivals.ts';

const run = promisify(execFile);

/** Until V8 has compiled what the requests of a case run, also on a busy machine. */
const warmUpRounds = 3;

helpIfRequested(import.meta.filename);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: caseNames.join(',') },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.3' },
  },
});
const unknown = values.cases.split(',').find((name) => !caseNames.some((known) => known === name));
if (unknown !== undefined) {
  throw new Error(`The case ${unknown} does not exist. The cases are ${caseNames.join(', ')}`);
}
const wanted = caseNames.filter((name) => values.cases.split(',').includes(name));
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

// The clients are in this process, and the measured program has the other core.
await run('taskset', ['-cp', String(cores.load), String(process.pid)]);
await using scratch = await scratchDirectory();
const setting = await makeSetting(scratch.path);
const folders = positionals.length === 0 ? [join(import.meta.dirname, '../..')] : positionals;
const checkouts: Checkout[] = [];
for (const folder of folders) checkouts.push(await Checkout.prepare(resolve(folder), setting));
const withRivals = checkouts.length === 1 ? rivals : [];
const sides = [...checkouts, ...withRivals].map(({ name }) => name);

/** The values of each case and side, by round. */
const measured = new Map<CaseName, Map<string, number[]>>();
for (const carrier of carriers) await measureOver(carrier);
for (const name of wanted) {
  const one = caseOf(name);
  if (!('measureStart' in one)) continue;
  await inTurns(name, (side) => {
    const checkout = checkouts.find((other) => other.name === side);
    return checkout && (() => one.measureStart(checkout));
  });
}
say(formatTable(['case', 'unit', ...sides], wanted.map(rowOf)));

/** Starts all sides. Those whose turn it is not are idle. */
async function measureOver(carrier: Carrier): Promise<void> {
  const names = wanted.filter((name) => {
    const one = caseOf(name);
    return 'carrier' in one && one.carrier === carrier;
  });
  if (names.length === 0) return;
  await using stack = new AsyncDisposableStack();
  const services = new Map<string, Service>();
  for (const one of checkouts) services.set(one.name, stack.use(await one.start(carrier)));
  const others = await startRivals(carrier, [...services.values()][0]);
  for (const other of others.values()) stack.use(other);
  await untilIdle(Array.from(services.values(), ({ pid }) => pid));
  for (const name of names) {
    const one = caseOf(name);
    if (!('measure' in one)) continue;
    await inTurns(name, (side) => {
      const rival = one.target === undefined ? undefined : others.get(side);
      // Rivals take no updates, and are measured by requests alone.
      const running = services.get(side) ?? (rival as Service | undefined);
      return running && (() => one.measure(running, { seconds, setting }));
    });
  }
}

async function startRivals(
  carrier: Carrier,
  first: Service | undefined,
): Promise<ReadonlyMap<string, Server>> {
  const started = new Map<string, Server>();
  if (first === undefined) return started;
  const targets = wanted.flatMap((name) => {
    const one = caseOf(name);
    return 'target' in one && one.target !== undefined ? [one.target] : [];
  });
  const fixed = await fixResponses(first, [...new Set(targets)], setting);
  for (const rival of withRivals) {
    if (!rival.carriers.includes(carrier)) continue;
    started.set(rival.name, await rival.start(carrier, fixed, setting));
  }
  return started;
}

/**
 * Measures all sides in each round, which begins with another side each time. The rounds before the
 * first one warm up.
 *
 * @param workOf gives what a side does, or undefined if it cannot.
 */
async function inTurns(
  name: CaseName,
  workOf: (side: string) => (() => Promise<number>) | undefined,
): Promise<void> {
  const able = sides.flatMap((side) => {
    const work = workOf(side);
    return work === undefined ? [] : [{ side, work }];
  });
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (let turn = 0; turn < able.length; turn += 1) {
      const now = able[(turn + round + warmUpRounds) % able.length];
      if (now === undefined) continue;
      const value = await now.work();
      if (round < 0) continue;
      const ofCase = measured.getOrInsertComputed(name, () => new Map<string, number[]>());
      ofCase.getOrInsertComputed(now.side, (): number[] => []).push(value);
    }
  }
  process.stderr.write(`${rowOf(name).join('  ')}\n`);
}

function rowOf(name: CaseName): readonly string[] {
  const { title, unit } = caseOf(name);
  const first = measured.get(name)?.get(sides[0] ?? '') ?? [];
  const cells = sides.map((side, at) => {
    const own = measured.get(name)?.get(side);
    if (own === undefined) return '';
    const ratio = median(own.map((value, round) => value / (first[round] ?? Number.NaN)));
    return `${figure(median(own))}${at === 0 ? '' : ` (${ratio.toFixed(2)} ×)`}`;
  });
  return [`${name}: ${title}`, unit, ...cells];
}
