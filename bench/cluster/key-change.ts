/**
 * Measures how long a created or revoked key takes to hold on the other nodes of a cluster, through
 * PostgreSQL: from the acknowledgement of the change to the first response of a node that applies it. The
 * nodes are processes of their own, and each is asked without a pause. Prints one line for each change.
 *
 * Usage: node bench/cluster/key-change.ts [ROUNDS] [NODES]
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { addKey } from '../../src/node/keys/keys.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import { startPostgres } from '../../test/support/postgres/postgres-server.ts';
import { startPizarra, type RunningService } from '../../test/support/program/program.ts';
import { readNumbers } from '../support/arguments.ts';
import { placeDeps } from '../support/place-deps.ts';

const { rounds, nodes: nodeCount } = readNumbers(import.meta.filename, { rounds: 200, nodes: 2 });
const who = 'bench';
/** A new key is asked for before a node knows it, which must not count as guessing. */
const flags = ['--failures-per-address', 'unlimited'];
/** Longer than the poll that replaces a lost hint, in milliseconds. */
const waitMsMax = 5_000;

async function main(): Promise<void> {
  await using server = await startPostgres({ isDurable: true });
  const url = server.url('bench');
  await using writer = await startPizarra(['--store', url, ...flags]);
  await using nodes = new AsyncDisposableStack();
  const others: RunningService[] = [];
  for (let count = 0; count < nodeCount; count += 1) {
    others.push(nodes.use(await startPizarra(['--store', url, '--role', 'serve', ...flags])));
  }
  await using place = new PostgresPlace(url, placeDeps);
  await using store = await place.open({ mode: 'write' });
  const all = [writer, ...others];
  const created: number[] = [];
  const revoked: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { id, key } = await addKey(store.keys, { name: `round ${round}`, scope: 'read' }, who);
    created.push(...(await delays(all, key, 200)));
    // The next change must not arrive at a fixed distance from a poll.
    await sleep(Math.random() * 100);
    await store.keys.change(id, { type: 'revoke' }, { who, at: systemClock.now() });
    revoked.push(...(await delays(all, key, 401)));
  }
  report('created', created);
  report('revoked', revoked);
}

/** The time until each node answers a request with a key by this status, in milliseconds. */
function delays(nodes: readonly RunningService[], key: string, status: number): Promise<number[]> {
  const from = systemClock.monotonic();
  return Promise.all(
    nodes.map(async ({ url }) => {
      for (;;) {
        const found = await statusOf(`${url}/especies.txt`, key);
        const elapsed = systemClock.monotonic() - from;
        if (found === status) return elapsed;
        if (elapsed > waitMsMax) throw new Error(`${url} still answers ${found}`);
      }
    }),
  );
}

const agent = new Agent({ keepAlive: true });

function statusOf(url: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(url, { headers, agent, method: 'HEAD' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

function report(what: string, list: number[]): void {
  list.sort((a, b) => a - b);
  const part = (share: number): string =>
    (list[Math.min(list.length - 1, Math.floor(share * list.length))] ?? Number.NaN).toFixed(1);
  process.stdout.write(
    `a key that was ${what} holds after p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, max ${part(1)} ms (${list.length} changes)\n`,
  );
}

await main();
