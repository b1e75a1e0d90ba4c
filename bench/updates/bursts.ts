/**
 * Requests for quotes while 5,000 updates arrive at once, twice a second: the times until they are answered, from
 * when each was due. Then, in another run of the program, the longest steps of its event loop during such bursts.
 * On a busy machine, only the second figure means something (`--requests-per-second 0` measures nothing else).
 * The program has one core. The clients and the source have the other.
 *
 * Usage: taskset -c 1 node bench/updates/bursts.ts [--updates N] [--bursts-per-second N]
 *   [--requests-per-second N] [--rounds N] [--seconds N] [--warm-up BURSTS]
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { readFlags } from '../support/flags.ts';
import { figure, say } from '../support/print.ts';
import { startService, type RunningService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { BurstSource } from './pushing/burst-source.ts';
import { PushedBodies } from './pushing/pushed-bodies.ts';
import { QuoteClient } from './pushing/quote-client.ts';

const { updates, burstsPerSecond, requestsPerSecond, rounds, seconds, warmUp } = readFlags(
  import.meta.filename,
  {
    updates: 5_000,
    burstsPerSecond: 2,
    requestsPerSecond: 600,
    rounds: 5,
    seconds: 6,
    /** Number of bursts before the first round: until V8 has compiled what they run. */
    warmUp: 60,
  },
);
const aims = { p99Ms: 2, slowestMs: 5 };
const bursts = { updates, perSecond: burstsPerSecond };
const watcher = new URL('pushing/watch-steps.ts', import.meta.url).href;

say(
  `${figure(updates)} updates at once, ${burstsPerSecond} times a second; ` +
    `${requestsPerSecond} requests/s; ${rounds} rounds of ${seconds} s`,
);
if (requestsPerSecond > 0) await measureRequests();
await measureSteps();

async function measureRequests(): Promise<void> {
  await using directory = await scratchDirectory();
  await using service = await startService(directory.path);
  const source = new BurstSource(bursts, await PushedBodies.of(service));
  await source.warmUp(warmUp);
  const quiet = await new QuoteClient(service, requestsPerSecond).run(seconds, undefined);
  const measured: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await new QuoteClient(service, requestsPerSecond).run(seconds, source));
  }
  source[Symbol.dispose]();
  tell('p99', measured.map(p99Of), aims.p99Ms, p99Of(quiet));
  tell('slowest', measured.map(slowestOf), aims.slowestMs, slowestOf(quiet));
}

function tell(what: string, ms: readonly number[], aimMs: number, quietMs: number): void {
  const { median, least, most } = spreadOf(ms);
  say(
    `${what} of the requests: ${figure(median)} ms (${figure(least)}–${figure(most)}), ` +
      `aim at most ${aimMs} ms, ${median <= aimMs ? 'met' : 'missed'}; without bursts ${figure(quietMs)} ms`,
  );
}

function p99Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function slowestOf(times: readonly number[]): number {
  return Math.max(...times);
}

async function measureSteps(): Promise<void> {
  await using directory = await scratchDirectory();
  await using service = await startService(directory.path, {
    env: { NODE_OPTIONS: `--import=${watcher}` },
  });
  const source = new BurstSource(bursts, await PushedBodies.of(service));
  await source.warmUp(warmUp);
  await takeSteps(service);
  const longest: number[] = [];
  const tenth: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await source.pushFor(seconds);
    const steps = await takeSteps(service);
    longest.push(steps[0] ?? Number.NaN);
    tenth.push(steps[9] ?? Number.NaN);
  }
  source[Symbol.dispose]();
  for (const [what, ms] of Object.entries({ longest, tenth })) {
    const { median, least, most } = spreadOf(ms);
    say(`${what} step of the event loop: ${figure(median)} ms (${figure(least)}–${figure(most)})`);
  }
}

/** The longest steps since the last call, in descending order. */
async function takeSteps(service: RunningService): Promise<readonly number[]> {
  const printed = service.output().length;
  process.kill(service.pid, 'SIGUSR2');
  for (;;) {
    const [, longest] = /"longest":(\[.*?\])/.exec(service.output().slice(printed)) ?? [];
    if (longest !== undefined) return JSON.parse(longest) as readonly number[];
    await sleep(10);
  }
}
