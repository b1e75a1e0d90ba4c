import { setTimeout as sleep } from 'node:timers/promises';

import { readinessCheck } from '../support/http/readiness-check.ts';
import { until } from '../support/wait.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './outcome.ts';
import { lacksFaketime } from './machine-clock.ts';

const lateSeconds = 3_600;
/** How long the node with the late clock must leave the claim to the other one: longer than a lease lasts. */
const lateMs = 4_500;

/** The clock of the writer is set an hour back. It hands over, and claims nothing until the clock is right. */
export async function lateClock(cluster: Cluster): Promise<Outcome> {
  const lacks = lacksFaketime();
  if (lacks !== false) return { skipped: lacks };
  const node = await cluster.writer();
  const { pusher } = cluster;
  const findings: string[] = [];
  pusher.measureGaps();
  pusher.isWriterLate = true;
  await node.clock.set(-lateSeconds);
  await until('another node writes', () => pusher.acknowledgedBy !== node);
  pusher.isWriterLate = false;
  const takeOverMs = pusher.longestGapMs;
  const from = pusher.acknowledgements;
  await until(
    'the node says that its clock is late',
    async () => (await readinessCheck(node, 'clock'))?.ok === false,
  );
  // A restart does not help.
  await node.stop();
  await node.start();
  const checks = sleep(lateMs);
  await until(
    'the new process says so too',
    async () => (await readinessCheck(node, 'clock'))?.ok === false,
  );
  await checks;
  if (pusher.acknowledgedBy === node) findings.push('the node with the late clock writes');
  if (pusher.acknowledgements === from) findings.push('nothing was written meanwhile');
  await node.clock.set(0);
  await until(
    'its clock is right again',
    async () => (await readinessCheck(node, 'clock'))?.ok === true,
  );
  return { takeOverMs, findings };
}
