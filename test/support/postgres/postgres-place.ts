import { after, type TestContext } from 'node:test';

import { Client } from 'pg';

import { systemClock } from '../../../src/lib/time/clock.ts';
import {
  PostgresPlace,
  type PostgresPlaceDeps,
} from '../../../src/store/postgres/postgres-place.ts';
import { onServer } from './on-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { until } from '../wait.ts';

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

/** Schemas with the tables of an empty store. Creating them takes most of the time of a short test. */
const emptySchemas: string[] = [];

/** Removes all rows, except those that an empty store has. */
const emptyText = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND relname NOT IN ('schema_version', 'revisions', 'lease', 'changes')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
  END $$;
  DELETE FROM changes WHERE id > (SELECT min(id) FROM changes);
  UPDATE revisions SET value = 0;
  UPDATE lease SET holder = NULL, name = NULL, expires_at = '-infinity';`;

/** An empty place in the server that the tests of this process share. */
export async function postgresPlace(t: TestContext): Promise<PostgresPlace> {
  const server = await sharedPostgres();
  const schema = emptySchemas.pop() ?? server.unusedSchema();
  const place = new PostgresPlace(server.url(schema), placeDeps);
  t.after(async () => {
    await place[Symbol.asyncDispose]();
    await onServer(server, `SET search_path = ${schema}; ${emptyText}`);
    emptySchemas.push(schema);
  });
  return place;
}

/** Runs a statement that locks rows, and keeps the locks until the signal aborts. */
export function holdLock(
  { port }: Pick<PostgresServer, 'port'>,
  text: string,
  signal: AbortSignal,
): { readonly isHeld: Promise<void>; readonly isOver: Promise<void> } {
  const client = new Client({ host: '127.0.0.1', port, user: 'pizarra', database: 'postgres' });
  const isHeld = (async () => {
    await client.connect();
    await client.query('BEGIN');
    await client.query(text);
  })();
  const isOver = (async () => {
    await isHeld;
    await until('the lock is no longer needed', () => signal.aborted);
    await client.end();
  })();
  return { isHeld, isOver };
}
