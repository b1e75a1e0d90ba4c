import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/lib/time/clock.ts';
import { onServer } from '../support/postgres/on-server.ts';
import type { PostgresServer } from '../support/postgres/postgres-server.ts';
import { until } from '../support/wait.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './outcome.ts';
import type { SingleDatabase } from './database/single-database.ts';

/** How long the former primary is up: longer than a lease lasts, so that a stand-by would claim. */
const formerMs = 5_000;
/** Maximum time until an update is acknowledged after the database has changed, in milliseconds. */
const acknowledgedMsMax = 60_000;

async function acknowledged({ pusher }: Cluster): Promise<void> {
  const since = systemClock.monotonic();
  await until('an update is acknowledged', () => pusher.lastAt > since, {
    withinMs: acknowledgedMsMax,
  });
}

/**
 * A promoted copy takes the place of the server, and updates are stored there. Then somebody stops it, and starts the
 * former primary unchanged at the same address. One node is started again meanwhile, without any memory: only the
 * other nodes can tell it that this server is outdated. No node may write there, or show what it contains.
 */
export async function formerPrimary(cluster: Cluster, database: SingleDatabase): Promise<Outcome> {
  const { pusher } = cluster;
  const findings: string[] = [];
  await cluster.writer();
  const token = await tokenIn(database.server);
  const former = await database.failOver();
  await acknowledged(cluster);
  await cluster.converges();
  const { server } = database;
  await server.stop();
  const before = pusher.acknowledgements;
  await former.start();
  const [restarted] = cluster.nodes;
  if (restarted === undefined) throw new Error('no node');
  await restarted.kill();
  // It serves when it finds the promoted server again.
  const starting = restarted.start();
  await sleep(formerMs);
  if (pusher.acknowledgements > before) findings.push('a former primary was written to');
  const now = await tokenIn(former);
  if (now !== token) findings.push(`token ${now} after ${token} on a former primary`);
  await former.stop();
  await server.start();
  await Promise.all([starting, acknowledged(cluster)]);
  await former[Symbol.asyncDispose]();
  return { findings };
}

async function tokenIn(server: PostgresServer): Promise<string> {
  const [row] = await onServer(server, 'SELECT token FROM pizarra.lease');
  return String(row?.[0]);
}
