/**
 * The processor time of a request by part: our own code, Node's code, packages and system calls. Then the
 * functions that take most of it.
 *
 * Usage: node bench/compare/profile.ts [CASES] [SECONDS]
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatTable } from '../../src/cli/terminal/table.ts';
import { cases } from './cases/cases.ts';
import type { Case } from './cases/cases.ts';
import { openDataset } from './cases/dataset.ts';
import { unusedPort } from '../../test/support/program/unused-ports.ts';
import { takeAnswers } from './cases/own-answers.ts';
import { prepareRequest } from './cases/prepare-request.ts';
import { dataDirectoryIn, startPizarra } from './sides/pizarra.ts';
import { withUpdates } from './load/updates.ts';
import { load } from '../support/wrk.ts';
import { helpIfRequested } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import { profileWhile } from '../support/profiler.ts';
import type { CpuProfile } from '../support/profiler.ts';

helpIfRequested(import.meta.filename);
const names = (process.argv[2] ?? 'one,lid,twenty-years,not-modified,gzip').split(',');
const seconds = Number(process.argv[3] ?? 5);
const functionsShown = 15;
const cache = resolve(import.meta.dirname, '../data');

await mkdir(cache, { recursive: true });
const dataset = await openDataset(cache, 1);
const scratch = await mkdtemp(join(cache, 'run-'));
try {
  await chmod(scratch, 0o711);
  const inspectPort = await unusedPort();
  await using own = await startPizarra(dataset, dataDirectoryIn(scratch, 'own'), {
    nodeOptions: [`--inspect=127.0.0.1:${inspectPort}`],
  });
  const { answers } = await takeAnswers(own, dataset);
  for (const one of cases.filter(({ name }) => names.includes(name))) {
    const answer = answers.get(one.name);
    if (answer === undefined) continue;
    const request = await prepareRequest(own, one, { own: answer, mayDiffer: true });
    if ('skipped' in request) {
      say(`${one.title} skipped: ${request.skipped}`);
      continue;
    }
    const { url, headers } = request;
    await load(url, headers, 2);
    const before = processorTime(own.pids);
    let requests = 0;
    const work = async (): Promise<void> => {
      ({ requests } = await load(url, headers, seconds));
    };
    const profile = await profileWhile(inspectPort, () =>
      one.withUpdates
        ? withUpdates(own.updates, { universe: dataset.universe, scratch }, work)
        : work(),
    );
    const after = processorTime(own.pids);
    const userUs = ((after.user - before.user) / requests) * 1e6;
    const kernelUs = ((after.kernel - before.kernel) / requests) * 1e6;
    tell(one, { profile, requests, userUs, kernelUs });
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

function tell(
  { title }: Case,
  measured: {
    readonly profile: CpuProfile;
    readonly requests: number;
    readonly userUs: number;
    readonly kernelUs: number;
  },
): void {
  const { profile, requests, userUs, kernelUs } = measured;
  say(`\n${title}: user ${figure(userUs)} µs, kernel ${figure(kernelUs)} µs a request`);
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  for (const [index, sample] of profile.samples.entries()) {
    const { functionName = '', url = '' } = frames.get(sample) ?? {};
    const part = partOf(functionName, url);
    if (part === undefined) continue;
    const us = (profile.timeDeltas[index] ?? 0) / requests;
    byPart.set(part, (byPart.get(part) ?? 0) + us);
    const name = `${functionName || '(anonymous)'}  ${url.replace(/^.*\/(?=(?:node_modules|src)\/)/, '')}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + us);
  }
  say(formatTable(['part', 'µs a request'], rowsOf(byPart)));
  say(formatTable(['function', 'µs a request'], rowsOf(byFunction).slice(0, functionsShown)));
}

function rowsOf(times: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  return [...times].toSorted(([, a], [, b]) => b - a).map(([name, us]) => [name, us.toFixed(2)]);
}

/** The part to which the time of a function belongs; undefined for idle time. */
function partOf(functionName: string, url: string): string | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'Node, native: parsing, reading, polling';
  if (/^write|^shutdown/.test(functionName) && url === '') return 'writing to the socket';
  if (url.startsWith('node:') || url === '') return 'Node, JavaScript';
  if (/node_modules\/(?:fastify|find-my-way|@fastify)/.test(url)) return 'framework';
  return url.includes('node_modules/') ? 'other packages' : 'ours';
}
