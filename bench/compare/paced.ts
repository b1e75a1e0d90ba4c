import { resolve } from 'node:path';
import { cores, PinnedProcess } from '../support/pinned-process.ts';
import { median, spreadOf } from '../support/statistics.ts';
import type { Spread } from '../support/statistics.ts';
import type { Case } from './cases.ts';
import type { Plan } from './measure.ts';
import type { OwnSide } from './sides/pizarra.ts';
import { withUpdates } from './updates.ts';

const program = resolve(import.meta.dirname, 'servers/paced-client.ts');

/** Far below what a core can answer, as it is in service: what waits then waits for the server. */
export const pacedPerSecond = 2_000;

/** The times of one question at a steady rate, without and with updates coming in. */
export interface PacedReport {
  readonly name: string;
  readonly title: string;
  readonly quiet: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  readonly updates: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  /** The p99 with updates divided by the one without, the median of the rounds. */
  readonly p99Ratio: number;
  readonly updatesPerSecond: Spread;
}

/** Measures how updates delay the answers to a question, turn by turn. */
export async function measurePaced(one: Case, side: OwnSide, plan: Plan): Promise<PacedReport> {
  const url = `${side.origin}${side.target(one.question)}`;
  const ask = (): Promise<Times> => askAtPace(url, side.key, plan);
  await ask();
  const quiet: Times[] = [];
  const updates: Times[] = [];
  const rates: number[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    quiet.push(await ask());
    const { result, taken } = await withUpdates(side.updates, plan, ask);
    updates.push(result);
    rates.push(taken);
  }
  const ratios = updates.map(({ p99 }, round) => p99 / (quiet[round]?.p99 ?? Number.NaN));
  return {
    name: one.name,
    title: one.title,
    quiet: spreadsOf(quiet),
    updates: spreadsOf(updates),
    p99Ratio: median(ratios),
    updatesPerSecond: spreadOf(rates),
  };
}

interface Times {
  readonly p50: number;
  readonly p99: number;
}

async function askAtPace(url: string, key: string, { seconds }: Plan): Promise<Times> {
  await using client = new PinnedProcess({
    core: cores.load,
    command: process.execPath,
    args: [program, url, String(pacedPerSecond), String(seconds)],
    env: { BENCH_AUTHORIZATION: `Bearer ${key}` },
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
