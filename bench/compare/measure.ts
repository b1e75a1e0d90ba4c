import type { Universe } from '../../src/domain/universe.ts';
import { say } from '../support/print.ts';
import { processorTime, proportionalBytes } from '../support/process-tree.ts';
import { isOnFresh } from './cases.ts';
import type { Case } from './cases.ts';
import { prepareRequest } from './prepare-request.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { OwnAnswer, RunningSide } from './side.ts';
import { withUpdates } from './updates.ts';
import { loadHttp2 } from './h2load.ts';
import { loadMixed, proxyConnections } from './mixed-load.ts';
import { load, LoadFault } from './wrk.ts';
import type { Load } from './wrk.ts';

const warmUpSeconds = 1;

/** How long the mixed requests run before another case behind the proxy is measured. */
const mixedSeconds = 1;

/** A side that runs, with its name. */
export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly side: RunningSide;
}

/** One load of one side. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of the server's processor time for each request. */
  readonly userUs: number;
  readonly kernelUs: number;
  readonly memoryBytes: number;
  /** Updates that were taken meanwhile, in a second. */
  readonly updatesPerSecond: number;
}

/** All samples of one case, of each side as many as there were rounds; or why there are none. */
export interface CaseSamples {
  readonly case: Case;
  readonly bytes: number;
  readonly sides: ReadonlyMap<string, readonly Sample[] | { readonly skipped: string }>;
}

/** How it is measured. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly answers: ReadonlyMap<string, OwnAnswer>;
  readonly universe: Universe;
  readonly scratch: string;
}

/**
 * Measures one case: in every round each side takes its turn, and another side begins each round, so
 * that what the machine does meanwhile befalls all of them alike.
 */
export async function measureCase(
  one: Case,
  contenders: readonly Contender[],
  plan: Plan,
): Promise<CaseSamples> {
  const own = plan.answers.get(one.name);
  if (own === undefined) throw new Error(`there is no answer of ours to ${one.name}`);
  const sides = new Map<string, Sample[] | { readonly skipped: string }>();
  const ready: { readonly contender: Contender; readonly request: Ready }[] = [];
  for (const contender of contenders) {
    const request = await prepareRequest(contender.side, one, {
      own,
      mayDiffer: one.withUpdates,
    });
    if ('skipped' in request) {
      sides.set(contender.name, request);
      say(`  ${one.title}: ${contender.title} skipped: ${request.skipped}`);
    } else {
      sides.set(contender.name, []);
      ready.push({ contender, request });
    }
  }
  // The round before the first only warms up.
  for (let round = -1; round < plan.rounds; round += 1) {
    const seconds = round < 0 ? warmUpSeconds : plan.seconds;
    for (let turn = 0; turn < ready.length; turn += 1) {
      const now = ready[(turn + round + 1) % ready.length];
      const samples = now === undefined ? undefined : sides.get(now.contender.name);
      if (now === undefined || !Array.isArray(samples)) continue;
      const { name, title, side } = now.contender;
      try {
        const sample = await takeSample(side, now.request, { one, seconds, plan });
        if (round >= 0) samples.push(sample);
      } catch (error) {
        if (!(error instanceof LoadFault)) throw error;
        sides.set(name, { skipped: error.message });
        say(`  ${one.title}: ${title} given up: ${error.message}`);
      }
    }
  }
  return { case: one, bytes: own.body.length, sides };
}

type Ready = Extract<PreparedRequest, { readonly url: string }>;

async function takeSample(
  side: RunningSide,
  request: Ready,
  { one, seconds, plan }: { readonly one: Case; readonly seconds: number; readonly plan: Plan },
): Promise<Sample> {
  // So that each connection of the proxy has carried each request before.
  const isAfterMixed = one.carrier === 'proxy' && one.manner !== 'mixed' && !isOnFresh(one);
  if (isAfterMixed) await loadMixed(side, { seconds: mixedSeconds, scratch: plan.scratch });
  const measure = (): Promise<Sample> => loadOnce(side, request, { one, seconds, plan });
  // What serves files or fixed answers takes no updates: it is the limit as it is.
  if (!one.withUpdates || side.updates === undefined) return measure();
  const { result, taken } = await withUpdates(side.updates, plan, measure);
  return { ...result, updatesPerSecond: taken };
}

function loadBy(
  side: RunningSide,
  { url, headers }: Ready,
  { one, seconds, plan }: { readonly one: Case; readonly seconds: number; readonly plan: Plan },
): Promise<Load> {
  const { scratch } = plan;
  if (one.manner === 'mixed') return loadMixed(side, { seconds, scratch });
  if (one.carrier === 'h2') return loadHttp2(url, headers, { seconds, scratch });
  return load(
    url,
    headers,
    seconds,
    one.carrier === 'proxy' ? { connections: proxyConnections } : {},
  );
}

async function loadOnce(
  side: RunningSide,
  request: Ready,
  how: { readonly one: Case; readonly seconds: number; readonly plan: Plan },
): Promise<Sample> {
  const before = processorTime(side.pids);
  const { requests, seconds: took, p50Ms, p99Ms } = await loadBy(side, request, how);
  const after = processorTime(side.pids);
  return {
    perSecond: requests / took,
    p50Ms,
    p99Ms,
    userUs: ((after.user - before.user) / requests) * 1e6,
    kernelUs: ((after.kernel - before.kernel) / requests) * 1e6,
    memoryBytes: proportionalBytes(side.pids),
    updatesPerSecond: 0,
  };
}
