import { resolve } from 'node:path';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { median, spreadOf, type Spread } from '../../support/statistics.ts';
import type { Case } from '../cases/cases.ts';
import type { Plan } from './measure.ts';
import type { OwnSide } from '../sides/pizarra.ts';
import { updatesPerSecond, writePushedTickers } from './updates.ts';

const program = resolve(import.meta.dirname, 'clients/paced-client.ts');

/** Requests per second. As in production, the rate is far below the capacity of a core. */
export const pacedPerSecond = 2_000;

/** Factor by which these turns are longer, because 1 % of their requests must be a large number. */
const turnsLonger = 3;

/** The response times of one question at a steady rate, without and with updates. */
export interface PacedReport {
  readonly name: string;
  readonly title: string;
  readonly quiet: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  readonly updates: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  /** The p99 with updates divided by the p99 without. It is the median of the rounds. */
  readonly p99Ratio: number;
  readonly updatesPerSecond: Spread;
}

/** Measures how updates delay the responses to a question. Turns with and without updates alternate. */
export async function measurePaced(one: Case, side: OwnSide, plan: Plan): Promise<PacedReport> {
  const url = `${side.origin}${side.target(one.question)}`;
  const tickersFile = await writePushedTickers(plan.universe, plan.scratch);
  const { url: updatesUrl, format, authorization } = side.updates;
  const pushing = [updatesUrl, format, tickersFile, String(updatesPerSecond)];
  const ask = (more: readonly string[] = []): Promise<Times> =>
    askAtPace([url, String(pacedPerSecond), String(plan.seconds * turnsLonger), ...more], {
      BENCH_AUTHORIZATION: `Bearer ${side.key}`,
      BENCH_UPDATES_AUTHORIZATION: authorization,
    });
  // Warm up the code for updates as well as the code for requests.
  for (let turn = 0; turn < 2; turn += 1) await ask(pushing);
  await ask();
  const quiet: Times[] = [];
  const updates: Times[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    quiet.push(await ask());
    updates.push(await ask(pushing));
  }
  const ratios = updates.map(({ p99 }, round) => p99 / (quiet[round]?.p99 ?? Number.NaN));
  return {
    name: one.name,
    title: one.title,
    quiet: spreadsOf(quiet),
    updates: spreadsOf(updates),
    p99Ratio: median(ratios),
    updatesPerSecond: spreadOf(updates.map((times) => times.updates)),
  };
}

interface Times {
  readonly p50: number;
  readonly p99: number;
  /** Number of accepted updates per second. */
  readonly updates: number;
}

async function askAtPace(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Times> {
  await using client = new PinnedProcess({
    core: cores.load,
    command: process.execPath,
    args: [program, ...args],
    env,
  });
  const [, figures = ''] = await client.printed(/^(\{.+\})$/m);
  return JSON.parse(figures) as Times;
}

function spreadsOf(times: readonly Times[]): { readonly p50Ms: Spread; readonly p99Ms: Spread } {
  return {
    p50Ms: spreadOf(times.map(({ p50 }) => p50)),
    p99Ms: spreadOf(times.map(({ p99 }) => p99)),
  };
}
