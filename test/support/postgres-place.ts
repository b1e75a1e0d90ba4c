import { after } from 'node:test';
import type { TestContext } from 'node:test';

import { systemClock } from '../../src/lib/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import type { PostgresPlaceDeps } from '../../src/store/postgres/postgres-place.ts';
import { startPostgres } from './postgres-server.ts';
import type { PostgresServer } from './postgres-server.ts';

let shared: Promise<PostgresServer> | undefined;

// A hook that is registered within a test would run at the end of that test.
after(async () => (await shared)?.[Symbol.asyncDispose]());

/** The server that the tests of this process share. It is stopped when the tests have ended. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** What a place of a test depends on. Nothing is read from the environment. */
export const placeDeps: PostgresPlaceDeps = {
  environment: {},
  monotonic: () => systemClock.monotonic(),
  now: () => systemClock.now(),
  random: () => 1,
};

/** An empty place in the server that the tests of this process share. */
export async function postgresPlace(t: TestContext): Promise<PostgresPlace> {
  const server = await sharedPostgres();
  const place = new PostgresPlace(server.url(server.unusedSchema()), placeDeps);
  t.after(() => place[Symbol.asyncDispose]());
  return place;
}
