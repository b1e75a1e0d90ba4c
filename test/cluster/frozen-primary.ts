import { systemClock } from '../../src/lib/time/clock.ts';
import { until } from '../support/wait.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './outcome.ts';
import type { PatroniDatabase } from './database/patroni-database.ts';

/**
 * The machine of the primary is frozen until Patroni has replaced it, and continues then. At that moment the writer
 * is started again, without any memory, so it may find the former primary first.
 */
export async function frozenPrimary(cluster: Cluster, database: PatroniDatabase): Promise<Outcome> {
  const { pusher } = cluster;
  const node = await cluster.writer();
  pusher.measureGaps();
  await database.freezePrimaryMachine();
  await node.kill();
  try {
    await node.start();
  } catch {
    // Patroni may need longer than a start of the program waits in a test.
    await database.heals();
    await node.start();
  }
  const since = systemClock.monotonic();
  await until('an update is acknowledged again', () => pusher.lastAt > since, {
    withinMs: 180_000,
  });
  const takeOverMs = pusher.longestGapMs;
  await database.heals();
  return { takeOverMs };
}
