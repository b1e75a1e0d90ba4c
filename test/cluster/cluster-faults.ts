import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/lib/time/clock.ts';
import { until, within } from '../support/wait.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterNode } from './cluster-node.ts';
import { lateClock } from './late-clock.ts';
import type { Outcome } from './outcome.ts';
import { upgradeAll } from './upgrade.ts';

/** How long a node is frozen or cut off: longer than a lease lasts. */
const longMs = 4_500;

/** After this time, a stand-by that is reachable is warm. */
const warmMs = 3_000;

/** One fault, from its begin to its end. */
export interface Fault {
  readonly name: string;
  /** Promised maximum of {@link Outcome.takeOverMs}; undefined when nothing is promised. */
  readonly takeOverMsMax?: number;
  readonly happen: (cluster: Cluster) => Promise<Outcome>;
}

/** Milliseconds from `since` until another update is acknowledged. */
async function nextAcknowledgement({ pusher }: Cluster, since: number): Promise<number> {
  await until('an update is acknowledged after the fault', () => pusher.lastAt > since, {
    withinMs: 180_000,
  });
  return pusher.lastAt - since;
}

/** Lets something happen to the writer, and measures the time until another node writes. */
const toWriter =
  (begin: (node: ClusterNode) => unknown, end: (node: ClusterNode) => unknown, forMs = longMs) =>
  async (cluster: Cluster): Promise<Outcome> => {
    const node = await cluster.writer();
    await begin(node);
    const since = systemClock.monotonic();
    const takeOverMs = await nextAcknowledgement(cluster, since);
    await sleep(Math.max(0, since + forMs - systemClock.monotonic()));
    await end(node);
    return { takeOverMs };
  };

/** Lets something happen to a node that does not write. The writer must not notice. */
const toFollower =
  (begin: (node: ClusterNode) => unknown, end: (node: ClusterNode) => unknown) =>
  async (cluster: Cluster): Promise<Outcome> => {
    const writer = await cluster.writer();
    const others = cluster.nodes.filter((node) => node !== writer);
    const node = others[Math.floor(Math.random() * others.length)] as ClusterNode;
    await begin(node);
    const from = cluster.pusher.acknowledgements;
    await sleep(longMs);
    const pushed = cluster.pusher.acknowledgements - from;
    await end(node);
    return pushed > 0 ? {} : { findings: ['nothing was written while a follower was in trouble'] };
  };

const kill = (node: ClusterNode): Promise<void> => node.kill();
const restart = (node: ClusterNode): Promise<void> => node.start();
const freeze = (node: ClusterNode): void => {
  node.freeze();
};
const thaw = (node: ClusterNode): void => {
  node.thaw();
};
const heal = (node: ClusterNode): void => {
  node.heal();
};
const cutOff = (node: ClusterNode): void => {
  node.cut({ toDatabase: 'drop', toNode: 'drop' });
};

/** A planned stop. The next writer acknowledges at most 300 ms after the last acknowledgement of this one. */
async function stopWriter(cluster: Cluster): Promise<Outcome> {
  // A stand-by that has just been cut off listens again after two seconds.
  await sleep(warmMs);
  const node = await cluster.writer();
  const { pusher } = cluster;
  pusher.measureGaps();
  await node.stop();
  const since = systemClock.monotonic();
  await until('another node writes', () => pusher.lastAt > since);
  const { longestGapMs } = pusher;
  await node.start();
  return { takeOverMs: longestGapMs };
}

/**
 * Holds back the bytes of a commit, cuts the writer off until another node has taken over, then lets the
 * commit arrive. Only the comparison of the token inside the commit can refuse it.
 */
async function holdCommit(cluster: Cluster): Promise<Outcome> {
  const node = await cluster.writer();
  const held = node.proxies.map((proxy) => proxy.holdNextCommit());
  const first = await within(
    'a commit is held',
    Promise.any(held.map(async (one) => one.caught.then(() => one))),
  );
  const since = systemClock.monotonic();
  // The process is suspended right after it has sent the commit.
  node.freeze();
  cutOff(node);
  const takeOverMs = await nextAcknowledgement(cluster, since);
  const wasStored = await first.release();
  heal(node);
  thaw(node);
  const findings = wasStored ? ['a commit of the old writer was stored after the take-over'] : [];
  return { takeOverMs, findings };
}

/** The faults of nodes and of their networks. */
export const nodeFaults: readonly Fault[] = [
  { name: 'kill writer', takeOverMsMax: 3_500, happen: toWriter(kill, restart, 0) },
  { name: 'freeze writer', takeOverMsMax: 3_500, happen: toWriter(freeze, thaw) },
  { name: 'cut writer off', takeOverMsMax: 3_500, happen: toWriter(cutOff, heal) },
  {
    name: 'writer is deaf',
    // Its last renewal may arrive up to 0.8 s after the last one of which it hears.
    takeOverMsMax: 4_300,
    happen: toWriter((node) => {
      node.cut({ toNode: 'drop' });
    }, heal),
  },
  {
    name: 'writer is mute',
    takeOverMsMax: 3_500,
    happen: toWriter((node) => {
      node.cut({ toDatabase: 'drop' });
    }, heal),
  },
  { name: 'stop writer', takeOverMsMax: 300, happen: stopWriter },
  { name: 'hold a commit', takeOverMsMax: 3_500, happen: holdCommit },
  { name: 'set the clock of the writer back', takeOverMsMax: 3_500, happen: lateClock },
  { name: 'upgrade all', happen: upgradeAll },
  { name: 'kill follower', happen: toFollower(kill, restart) },
  { name: 'freeze follower', happen: toFollower(freeze, thaw) },
  { name: 'cut follower off', happen: toFollower(cutOff, heal) },
];
