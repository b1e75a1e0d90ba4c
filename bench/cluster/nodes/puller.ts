/**
 * A program with a number of followers of a place, each with the two connections of a node that serves: one that
 * pulls, and one that listens. It reports what they have received when its parent says so.
 *
 * Usage: puller.ts URL INSTRUMENTS NODES STATEMENT, where STATEMENT is empty for the pull of the program, or SQL with
 * a version as `$1`.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Client } from 'pg';

import { StoreFollower } from '../../../src/node/market/follow-store.ts';
import { fromQuoteRow, type QuoteRow } from '../../../src/store/encoding/quote-row.ts';
import type { QuoteStore } from '../../../src/store/contract/quote-store.ts';
import { resultTypes } from '../../../src/store/postgres/session/session.ts';
import { PostgresPlace } from '../../../src/store/postgres/postgres-place.ts';
import { universeOf } from './universe.ts';
import { placeDeps } from '../../support/place-deps.ts';

/** What the followers of a process have received since they were reset. */
export interface PullReport {
  /** The lowest version that a follower has. */
  readonly position: number;
  /** The times from the commit of a quote to a follower, in milliseconds. A quote's version is in its price. */
  readonly seen: readonly (readonly [version: number, at: number])[];
  readonly pulls: number;
  /** Bytes that the connections have received. */
  readonly bytes: number;
  readonly cpuMs: number;
}

const [url = '', count = '', nodes = '', sql = ''] = process.argv.slice(2);
const universe = universeOf(Number(count));
const sockets = new Set<Socket>();
subscribe(
  'net.client.socket',
  (message) => void sockets.add((message as { socket: Socket }).socket),
);
const cleanUp = new AsyncDisposableStack();
const place = cleanUp.use(new PostgresPlace(url, placeDeps));
let seen: [number, number][] = [];
let pulls = 0;
const positions: number[] = [];
// One after the other: the first pull of each node reads all quotes, and all nodes share one core here.
for (let node = 0; node < Number(nodes); node += 1) {
  const store = cleanUp.use(await place.open({ mode: 'read' }));
  const readNewer = sql === '' ? (from: number) => store.quotes.readNewer(from) : await rival();
  cleanUp.use(
    await StoreFollower.open({
      store: {
        readNewer: (version) => {
          pulls += 1;
          return readNewer(version);
        },
        subscribe: (onHint) =>
          store.hints.subscribe((what) => {
            if (what === 'quotes') onHint();
          }),
      },
      universe,
      publish: (quotes) => {
        const at = performance.timeOrigin + performance.now();
        for (const { version } of quotes) seen.push([version, at]);
        positions[node] = Math.max(positions[node] ?? 0, quotes.at(-1)?.version ?? 0);
      },
      ...placeDeps,
      onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
    }),
  );
}

/** A pull by another statement, on a connection of its own. */
async function rival(): Promise<QuoteStore['readNewer']> {
  const target = new URL(url);
  const client = new Client({
    host: target.hostname,
    port: Number(target.port),
    user: target.username,
    database: target.pathname.slice(1),
  });
  await client.connect();
  cleanUp.defer(() => client.end());
  return async (version) => {
    const statement = { name: 'rival', text: sql, values: [version], types: resultTypes };
    const { rows } = await client.query<unknown[]>({ ...statement, rowMode: 'array' });
    return rows.map((row) => fromQuoteRow('the rival', row as unknown as QuoteRow));
  };
}

function bytesRead(): number {
  return [...sockets].reduce((sum, { bytesRead: own }) => sum + own, 0);
}

// The parent has failed.
process.once('disconnect', () => process.exit());
let [processor, bytes] = [process.cpuUsage(), 0];
process.on('message', (message) => {
  if (message === 'reset') {
    [seen, pulls, processor, bytes] = [[], 0, process.cpuUsage(), bytesRead()];
    return;
  }
  const { user, system } = process.cpuUsage(processor);
  const report: PullReport = {
    position: Math.min(...positions),
    seen,
    pulls,
    bytes: bytesRead() - bytes,
    cpuMs: (user + system) / 1_000,
  };
  process.send?.(report, undefined, undefined, () => process.exit());
});
process.send?.('ready');
