import { resolve } from 'node:path';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { contractTarget } from '../cases/cases.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { sameJson, type RunningSide } from '../cases/side.ts';

const program = resolve(import.meta.dirname, 'servers/sql-server.ts');

/** Starts the simple SQL service with an existing database. */
export async function startSqlServer({
  kind,
  place,
  key,
  version,
}: {
  readonly kind: 'sqlite' | 'postgres';
  readonly place: string;
  readonly key: string;
  readonly version: string;
}): Promise<RunningSide> {
  const port = await unusedPort();
  const child = new PinnedProcess({
    core: cores.server,
    command: process.execPath,
    args: [program, kind, place, String(port)],
    env: { BENCH_KEY: key },
  });
  await child.listens(port);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    key,
    pids: [child.pid],
    version,
    target: contractTarget,
    agrees: sameJson,
    updates: { url: `${origin}/updates`, authorization: `Bearer ${key}`, format: 'json' },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
