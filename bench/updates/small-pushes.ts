/**
 * The processor time of one `POST /updates` with 20 updates, over all threads of the real program: pushes at a
 * steady rate, until each is durable and visible. What the idle program takes is measured in turn, and taken off.
 * The program has one core, and the source has the other.
 *
 * Usage: taskset -c 1 node bench/updates/small-pushes.ts [--updates N] [--per-second N] [--rounds N] [--seconds N]
 *   [--warm-up PUSHES]
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { readFlags } from '../support/flags.ts';
import { HttpConnection } from '../support/http-connection.ts';
import { figure, say } from '../support/print.ts';
import { threadTimes, type ThreadTimes } from '../support/process-tree.ts';
import { startService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { PushedBodies } from './pushing/pushed-bodies.ts';

const { updates, perSecond, rounds, seconds, warmUp } = readFlags(import.meta.filename, {
  updates: 20,
  perSecond: 50,
  rounds: 7,
  seconds: 4,
  /** Number of pushes before the first round, one after another: until V8 has compiled what they run. */
  warmUp: 3_000,
});
const aimMs = 0.6;

await using directory = await scratchDirectory();
await using service = await startService(directory.path);
const bodies = await PushedBodies.of(service);
using connection = await HttpConnection.open(bodies.port);
for (let push = 0; push < warmUp; push += 1) await pushOnce();

const totals: number[] = [];
const idles: number[] = [];
const byThread = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1) {
  const idle = await measure(() => sleep(seconds * 1_000));
  const busy = await measure(pushAtRate);
  let total = 0;
  let idleTotal = 0;
  for (const [thread, spent] of busy.times) {
    const atRest = ((idle.times.get(thread) ?? 0) / idle.seconds) * busy.seconds;
    const ms = ((spent - atRest) / (perSecond * seconds)) * 1_000;
    byThread.set(thread, [...(byThread.get(thread) ?? []), ms]);
    total += ms;
    idleTotal += (idle.times.get(thread) ?? 0) / idle.seconds;
  }
  totals.push(total);
  idles.push(idleTotal * 100);
}

const { median, least, most } = spreadOf(totals);
const isMet = median <= aimMs ? 'met' : 'missed';
say(`a push of ${updates} updates, ${perSecond} pushes/s, ${rounds} rounds of ${seconds} s`);
say(
  `aim: at most ${aimMs} ms of processor time; ` +
    `${figure(median)} ms (${figure(least)}–${figure(most)}), ${isMet}`,
);
for (const [thread, ms] of byThread) {
  const spread = spreadOf(ms);
  if (spread.median < 0.001) continue;
  say(
    `  ${thread.padEnd(16)} ${figure(spread.median)} ms (${figure(spread.least)}–${figure(spread.most)})`,
  );
}
say(`idle: ${figure(spreadOf(idles).median)} % of a core`);

async function pushOnce(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<number>();
  connection.exchange(bodies.next(updates), resolve);
  const status = await promise;
  if (status !== 200) throw new Error(`a push got ${status}`);
}

async function pushAtRate(): Promise<void> {
  const begun = performance.now();
  for (let push = 0; push < perSecond * seconds; push += 1) {
    await sleep(Math.max(0, begun + (push * 1_000) / perSecond - performance.now()));
    await pushOnce();
  }
}

/** Processor time of each thread of the program during some work, in seconds, and how long the work took. */
async function measure(
  work: () => Promise<void>,
): Promise<{ readonly times: ThreadTimes; readonly seconds: number }> {
  const [before, begun] = [threadTimes(service.pid), performance.now()];
  await work();
  const after = threadTimes(service.pid);
  const times = new Map([...after].map(([name, at]) => [name, at - (before.get(name) ?? 0)]));
  return { times, seconds: (performance.now() - begun) / 1_000 };
}
