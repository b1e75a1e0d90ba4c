import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { say } from '../../support/print.ts';
import { processorTime, proportionalBytes } from '../../support/process-tree.ts';
import { isOnFresh, type Case } from '../cases/cases.ts';
import { prepareRequest } from '../cases/prepare-request.ts';
import type { OwnAnswer, RunningSide } from '../cases/side.ts';
import { withUpdates } from './updates.ts';
import { loadCase, type ReadyRequest } from './load-case.ts';
import { loadMixed } from './mixed-load.ts';
import { LoadFault } from '../../support/wrk.ts';

const warmUpSeconds = 1;

/** Duration of the mixed requests before another case behind the proxy is measured, in seconds. */
const mixedSeconds = 1;

/** A running side, with its name. */
export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly side: RunningSide;
}

/** The figures of one load of one side. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The server's processor time per request in user mode, in microseconds. */
  readonly userUs: number;
  readonly kernelUs: number;
  readonly memoryBytes: number;
  /** Number of updates that were accepted meanwhile, per second. */
  readonly updatesPerSecond: number;
}

/** All samples of one case: one per side and round, or the reason why a side was skipped. */
export interface CaseSamples {
  readonly case: Case;
  readonly bytes: number;
  readonly sides: ReadonlyMap<string, readonly Sample[] | { readonly skipped: string }>;
}

/** The number and the duration of the rounds. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly answers: ReadonlyMap<string, OwnAnswer>;
  readonly universe: Universe;
  readonly scratch: string;
}

/**
 * Measures one case. In every round, each side takes a turn. Each round starts with another side, so that
 * other load on the machine affects all sides equally.
 */
export async function measureCase(
  one: Case,
  contenders: readonly Contender[],
  plan: Plan,
): Promise<CaseSamples> {
  const own = plan.answers.get(one.name);
  if (own === undefined) throw new Error(`Pizarra has no response for ${one.name}`);
  const sides = new Map<string, Sample[] | { readonly skipped: string }>();
  const ready: { readonly contender: Contender; readonly request: ReadyRequest }[] = [];
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
  // Round -1 warms up.
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

async function takeSample(
  side: RunningSide,
  request: ReadyRequest,
  { one, seconds, plan }: { readonly one: Case; readonly seconds: number; readonly plan: Plan },
): Promise<Sample> {
  // Make sure that each connection of the proxy has carried each of the mixed requests.
  const isAfterMixed = one.carrier === 'proxy' && one.manner !== 'mixed' && !isOnFresh(one);
  if (isAfterMixed) await loadMixed(side, { seconds: mixedSeconds, scratch: plan.scratch });
  const measure = (): Promise<Sample> => loadOnce(side, request, { one, seconds, plan });
  // Sides that serve files or fixed responses have no updates. They are the limit in any case.
  if (!one.withUpdates || side.updates === undefined) return measure();
  const { result, taken } = await withUpdates(side.updates, plan, measure);
  return { ...result, updatesPerSecond: taken };
}

async function loadOnce(
  side: RunningSide,
  request: ReadyRequest,
  { one, seconds, plan }: { readonly one: Case; readonly seconds: number; readonly plan: Plan },
): Promise<Sample> {
  const before = processorTime(side.pids);
  const {
    requests,
    seconds: took,
    p50Ms,
    p99Ms,
  } = await loadCase(side, request, one, {
    seconds,
    scratch: plan.scratch,
  });
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
