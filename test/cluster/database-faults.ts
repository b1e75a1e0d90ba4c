import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/lib/time/clock.ts';
import { until } from '../support/wait.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './cluster-faults.ts';
import type { Outcome } from './outcome.ts';
import { formerPrimary } from './former-primary.ts';
import { frozenPrimary } from './frozen-primary.ts';
import { PatroniDatabase } from './database/patroni-database.ts';
import type { SingleDatabase } from './database/single-database.ts';

/** How long the only server is away. */
const awayMs = 1_500;

/** Lets something happen to the database. Readers must not notice; writing continues afterwards. */
const toDatabase =
  (begin: () => Promise<void>, end: () => Promise<void>) =>
  async (cluster: Cluster): Promise<Outcome> => {
    await cluster.writer();
    const { pusher } = cluster;
    pusher.measureGaps();
    await begin();
    await sleep(awayMs);
    await end();
    const since = systemClock.monotonic();
    await until('an update is acknowledged again', () => pusher.lastAt > since, {
      withinMs: 180_000,
    });
    return { takeOverMs: pusher.longestGapMs };
  };

/** The faults of a database. The time of its own take-over is not Pizarra's promise. */
export function databaseFaults(database: SingleDatabase | PatroniDatabase): readonly Fault[] {
  if (database instanceof PatroniDatabase) {
    return [
      {
        name: 'kill primary server',
        happen: toDatabase(
          () => database.killPrimaryServer(),
          () => database.heals(),
        ),
      },
      {
        name: 'kill primary machine',
        happen: toDatabase(
          () => database.killPrimaryMachine(),
          () => database.heals(),
        ),
      },
      { name: 'freeze primary machine', happen: (cluster) => frozenPrimary(cluster, database) },
      {
        name: 'switch over',
        happen: toDatabase(
          () => database.switchOver(),
          () => database.heals(),
        ),
      },
    ];
  }
  return [
    {
      name: 'kill database',
      happen: toDatabase(
        () => database.server.kill(),
        () => database.server.start(),
      ),
    },
    {
      name: 'freeze database',
      happen: toDatabase(
        () => database.server.freeze(),
        async () => {
          database.server.thaw();
        },
      ),
    },
    {
      name: 'a former primary returns',
      happen: (cluster) => formerPrimary(cluster, database),
    },
  ];
}
