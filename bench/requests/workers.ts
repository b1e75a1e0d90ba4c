/**
 * The benefit of several processes on one port: responses per second, processor time per response and memory,
 * by the number of processes, while the demonstration runs.
 *
 * The client needs a core too. On a machine with two cores, a second process competes with the client. So the
 * relevant figure is the processor time per response: while it does not grow, the rate grows with the number
 * of cores.
 *
 * Usage: node bench/requests/workers.ts [SECONDS] [ROUNDS]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

import { createKey } from '../../src/node/keys/keys.ts';
import { readNumbers } from '../support/arguments.ts';
import { unusedPort } from '../../test/support/program/unused-ports.ts';
import { load } from '../support/wrk.ts';
import { say } from '../support/print.ts';
import { processorTime, proportionalBytes } from '../support/process-tree.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { median } from '../support/statistics.ts';

const launcher = new URL('../../bin/pizarra', import.meta.url).pathname;
const { seconds, rounds } = readNumbers(import.meta.filename, { seconds: 3, rounds: 3 });
const targets = {
  'one quote': '/cotizaciones?especie=GGAL',
  'panel CED': '/cotizaciones?panel=CED',
} as const;

interface Figures {
  readonly answersPerSecond: number;
  readonly microsecondsEach: number;
  readonly p99Ms: number;
}

/** Starts a service of `processes` processes, and requests each target. */
async function measure(
  workers: number,
): Promise<{ readonly figures: ReadonlyMap<string, Figures>; readonly mib: number }> {
  await using directory = await scratchDirectory();
  const { key } = await createKey(directory.path, { name: 'bench', scope: 'read' });
  const port = await unusedPort();
  const flags = ['--store', directory.path, '--port', String(port), '--private-port', '0'];
  // The operating system assigns the processes to cores, as in production.
  const child = spawn(
    launcher,
    ['serve', ...flags, '--workers', String(workers), '--log-format', 'json'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exit = once(child, 'exit');
  try {
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    while (!printed.includes('"service ready"')) await once(child.stderr, 'data');
    const pid = child.pid ?? 0;
    const figures = new Map<string, Figures>();
    for (const [name, target] of Object.entries(targets)) {
      const url = `http://127.0.0.1:${port}${target}`;
      const headers = { authorization: `Bearer ${key}` };
      await load(url, headers, 1);
      const before = processorTime([pid]);
      const { requests, seconds: taken, p99Ms } = await load(url, headers, seconds);
      const after = processorTime([pid]);
      const used = after.user + after.kernel - before.user - before.kernel;
      figures.set(name, {
        answersPerSecond: requests / taken,
        microsecondsEach: (used / requests) * 1e6,
        p99Ms,
      });
    }
    return { figures, mib: proportionalBytes([pid]) / 2 ** 20 };
  } finally {
    child.kill();
    await exit;
  }
}

const results = new Map<number, Awaited<ReturnType<typeof measure>>[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const workers of [1, 2]) {
    results.set(workers, [...(results.get(workers) ?? []), await measure(workers)]);
  }
}
say(`${availableParallelism()} cores, client on one of them; medians of ${rounds} rounds`);
for (const name of Object.keys(targets)) {
  for (const [workers, runs] of results) {
    const of = (figure: keyof Figures): number =>
      median(runs.map(({ figures }) => figures.get(name)?.[figure] ?? Number.NaN));
    const processes = `${workers} process${workers === 1 ? '' : 'es'}`;
    const cost = `${of('microsecondsEach').toFixed(0)} µs CPU each, p99 ${of('p99Ms').toFixed(1)} ms`;
    say(`${name}, ${processes}: ${of('answersPerSecond').toFixed(0)} answers/s, ${cost}`);
  }
}
for (const [workers, runs] of results) {
  say(`memory, ${workers}: ${median(runs.map(({ mib }) => mib)).toFixed(0)} MiB (PSS)`);
}
