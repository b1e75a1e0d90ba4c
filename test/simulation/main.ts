/**
 * Plays histories of the protocol of claim, commit and following (docs/decisions/0013), on all cores.
 *
 * `npm run test:simulation -- --histories 1000000 --from 1` plays that many; `--seed 17` plays one and
 * prints it step by step; `--without checkToken` switches a rule off (several with commas).
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { helpIfRequested } from '../support/program/help-if-requested.ts';
import { once } from '../support/wait.ts';
import { allGuards, type Guards } from './guards.ts';
import { playHistories, traceHistory, type Played } from './play-histories.ts';
import { Counts } from './watch.ts';

const batch = 20_000;
const failuresMax = 5;
/** Maximum time of one batch, in milliseconds. It takes some seconds. */
const batchMsMax = 600_000;

function withoutGuards(names: string): Guards {
  const off = names.split(',').filter((name) => name !== '');
  const unknown = off.filter((name) => !Object.hasOwn(allGuards, name));
  if (unknown.length > 0) {
    throw new Error(
      `unknown guard ${unknown.join(', ')}; one of ${Object.keys(allGuards).join(', ')}`,
    );
  }
  return { ...allGuards, ...Object.fromEntries(off.map((name) => [name, false])) };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  helpIfRequested(import.meta.filename);
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1000000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      without: { type: 'string', default: '' },
    },
  });
  const guards = withoutGuards(values.without);
  if (values.seed !== undefined) {
    for (const line of traceHistory(Number(values.seed), guards)) print(line);
    return;
  }
  const histories = Number(values.histories);
  const from = Number(values.from);
  if (!Number.isSafeInteger(histories) || !Number.isSafeInteger(from)) {
    throw new Error('--histories and --from must be integers');
  }
  const played = await playOnAllCores({ from, histories, guards });
  for (const { seed, message } of played.failures) print(`seed ${seed}: ${message}`);
  print(JSON.stringify(played.counts, undefined, 2));
  if (played.failures.length === 0) return;
  print(`replay with: npm run test:simulation -- --seed ${played.failures[0]?.seed}`);
  process.exitCode = 1;
}

async function playOnAllCores(job: {
  readonly from: number;
  readonly histories: number;
  readonly guards: Guards;
}): Promise<Played> {
  const end = job.from + job.histories;
  const counts = new Counts();
  const failures: Played['failures'][number][] = [];
  const workers = availableParallelism();
  const work = async (index: number): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url), { workerData: job.guards });
    for (let first = job.from + index * batch; first < end; first += workers * batch) {
      if (failures.length >= failuresMax) break;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window: a thread
      worker.postMessage({ first, end: Math.min(end, first + batch), failuresMax });
      const [played] = (await once(worker, 'message', { withinMs: batchMsMax })) as [Played];
      counts.add(played.counts);
      failures.push(...played.failures);
      process.stderr.write(`\r${counts.histories} of ${job.histories} histories`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index)));
  process.stderr.write('\n');
  return { counts, failures };
}

if (isMainThread) {
  await main();
} else {
  parentPort?.on('message', (range: { first: number; end: number; failuresMax: number }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window: a thread
    parentPort?.postMessage(playHistories(range, workerData as Guards));
  });
}
