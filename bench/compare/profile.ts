/**
 * The processor time of a request by part: our own code, Node's code, packages and system calls. Then the
 * functions that take most of it.
 *
 * Usage: node bench/compare/profile.ts [CASES] [SECONDS], with the cases of `npm run bench`, of any carrier
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatTable } from '../../src/commands/form/report.ts';
import { carriers, cases, type Carrier, type Case } from './cases/cases.ts';
import { writeCertificate } from './cases/certificate.ts';
import { openDataset } from './cases/dataset.ts';
import { unusedPort } from '../../test/support/program/unused-ports.ts';
import { takeAnswers } from './cases/own-answers.ts';
import { prepareRequest } from './cases/prepare-request.ts';
import type { RunningSide } from './cases/side.ts';
import { loadCase } from './load/load-case.ts';
import { dataDirectoryIn, startPizarra } from './sides/pizarra.ts';
import { behindNginx } from './sides/proxied.ts';
import { withUpdates } from './load/updates.ts';
import { helpIfRequested } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime, untilIdle } from '../support/process-tree.ts';
import { profileWhile, type CpuProfile } from '../support/profiler.ts';

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
  for (const carrier of ['http', ...carriers] as const) {
    const wanted = cases.filter((one) => one.carrier === carrier && names.includes(one.name));
    if (wanted.length > 0) await profileOver(carrier, wanted);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function profileOver(carrier: Carrier, wanted: readonly Case[]): Promise<void> {
  const inspectPort = await unusedPort();
  const certificate =
    carrier === 'tls' || carrier === 'h2' ? await writeCertificate(scratch) : undefined;
  const service = await startPizarra(dataset, dataDirectoryIn(scratch, carrier), {
    nodeOptions: [`--inspect=127.0.0.1:${inspectPort}`],
    ...(certificate === undefined ? {} : { certificate }),
    isBehindProxy: carrier === 'proxy',
  });
  const { updates } = service;
  await using own: RunningSide =
    carrier === 'proxy' ? await behindNginx(service, scratch) : service;
  const { answers } = await takeAnswers(own, dataset);
  await untilIdle(own.pids);
  for (const one of wanted) {
    const answer = answers.get(one.name);
    if (answer === undefined) continue;
    const request = await prepareRequest(own, one, { own: answer, mayDiffer: true });
    if ('skipped' in request) {
      say(`${one.title} skipped: ${request.skipped}`);
      continue;
    }
    await loadCase(own, request, one, { seconds: 2, scratch });
    const before = processorTime(own.pids);
    let requests = 0;
    const work = async (): Promise<void> => {
      ({ requests } = await loadCase(own, request, one, { seconds, scratch }));
    };
    const profile = await profileWhile(inspectPort, () =>
      one.withUpdates
        ? withUpdates(updates, { universe: dataset.universe, scratch }, work)
        : work(),
    );
    const after = processorTime(own.pids);
    const userUs = ((after.user - before.user) / requests) * 1e6;
    const kernelUs = ((after.kernel - before.kernel) / requests) * 1e6;
    tell(one, { profile, requests, userUs, kernelUs });
  }
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
