/**
 * One service at two sizes: with a base, and with ten times as many instruments, closes, bars of minutes and streams,
 * all at once. A request for one thing, a stream or an event should cost the same at both, and what is about
 * everything at most ten times as much. The two services run at the same time on one core, and take turns. This
 * process, on the other core, is the source and all clients.
 *
 * Usage: taskset -c 1 node bench/growth/growth.ts [--instruments N] [--closes N] [--sessions N] [--streams N]
 *   [--scale N] [--updates-per-second N] [--rounds N] [--seconds N] [--starts N] [--only-prepare 1]
 *
 * The numbers of instruments and of streams are those of the base, and those of closes and of sessions with bars are
 * of each instrument. The data are generated once, which takes two minutes, and with `--only-prepare 1` nothing else
 * is done. The limit of open files (`ulimit -n`) must be above the number of all streams.
 */
import { readFlags } from '../support/flags.ts';
import { say } from '../support/print.ts';
import { openGeneratedStore } from './data/generated-store.ts';
import { comparisonLines } from './measured/figures.ts';
import { GrownNode } from './measured/grown-node.ts';
import { measureColdBars, measureRequests } from './measured/requests.ts';
import { measureReconnection, measureUpdates, measureWholePush } from './measured/updates.ts';

const flags = readFlags(import.meta.filename, {
  instruments: 1_000,
  closes: 3_300,
  sessions: 10,
  streams: 1_000,
  scale: 10,
  updatesPerSecond: 1_000,
  rounds: 3,
  /** Of each measurement of a round. */
  seconds: 1,
  /** Before the one that is measured further. */
  starts: 3,
  onlyPrepare: 0,
});
const { instruments, closes, sessions, streams, scale, rounds, seconds, starts } = flags;

const base = await openGeneratedStore({ instruments, closes, sessions });
const grown = await openGeneratedStore({ instruments: scale * instruments, closes, sessions });
if (flags.onlyPrepare === 0) await compare();

async function compare(): Promise<void> {
  step('the base starts');
  await using small = await GrownNode.open(base, { starts, streams });
  step('the grown one starts');
  await using large = await GrownNode.open(grown, { starts, streams: scale * streams });
  const nodes = [small, large];
  for (const node of nodes) await node.measureRest(5);
  for (let round = 0; round < rounds; round += 1) {
    step(`round ${round + 1} of ${rounds}`);
    for (const node of nodes) await measureRequests(node, seconds);
    for (const node of nodes) await measureColdBars(node, round);
    for (const node of nodes) {
      const perSecond = flags.updatesPerSecond;
      await measureUpdates(node, { seconds: 4 * seconds, perSecond });
    }
    for (const node of nodes) await measureWholePush(node);
    for (const node of nodes) await measureReconnection(node);
  }
  for (const node of nodes) await node.measureMemory('atEnd');
  const ended = nodes.flatMap(({ screens }) => screens).filter(({ hasEnded }) => hasEnded).length;
  if (ended > 0) throw new Error(`${ended} streams were ended`);
  const sizeOf = (times: number): string =>
    `${(times * instruments).toLocaleString('en')} instruments, ${(times * instruments * closes).toLocaleString('en')} closes, ` +
    `${(times * streams).toLocaleString('en')} streams, bars of ${sessions} sessions`;
  say(`base: ${sizeOf(1)}`);
  say(`grown: ${sizeOf(scale)}`);
  for (const line of comparisonLines(small.figures, large.figures, scale)) say(line);
}

function step(what: string): void {
  say(`${(performance.now() / 1e3).toFixed(0)} s: ${what}`);
}
