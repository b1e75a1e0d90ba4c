import assert from 'node:assert/strict';
import { join } from 'node:path';

import { writeFlatUniverse } from '../faults/flat-universe.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { Pusher, Reader } from './cluster-load.ts';
import { ClusterNode, type NodeRole } from './cluster-node.ts';
import type { ClusterDatabase } from './database/cluster-database.ts';
import { unusedPorts } from '../support/program/unused-ports.ts';

/** Two nodes that may write and one that only serves, as small installations have. */
const roles: readonly NodeRole[] = ['all', 'all', 'serve'];

/** Nodes over one database, a client that pushes, and a reader of each node. */
export class Cluster implements AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
  readonly pusher: Pusher;
  readonly readers: readonly Reader[];
  readonly database: ClusterDatabase;
  /** The key of a client that reads. */
  readonly readKey: string;
  readonly #stopping = new AbortController();
  readonly #work: Promise<unknown>;
  readonly #below: AsyncDisposable;

  private constructor(own: {
    readonly nodes: readonly ClusterNode[];
    readonly database: ClusterDatabase;
    readonly keys: { readonly read: string; readonly ingest: string };
    readonly below: AsyncDisposable;
  }) {
    this.nodes = own.nodes;
    this.database = own.database;
    this.readKey = own.keys.read;
    this.#below = own.below;
    this.pusher = new Pusher(own.nodes, own.keys.ingest);
    this.readers = own.nodes.map((node) => new Reader(node, own.keys.read));
    const { signal } = this.#stopping;
    this.#work = Promise.all([this.pusher, ...this.readers].map((one) => one.run(signal)));
  }

  /** Starts the nodes and the load. The cluster disposes the database. */
  static async start(database: ClusterDatabase): Promise<Cluster> {
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.use(database);
    const { path } = cleanUp.use(await temporaryDirectory());
    const universe = join(path, 'universe');
    await writeFlatUniverse(universe);
    const store = database.url(database.ports);
    const keys = { read: await makeKey(store, 'read'), ingest: await makeKey(store, 'ingest') };
    const nodes: ClusterNode[] = [];
    for (const [index, role] of roles.entries()) {
      // A node keeps its addresses over a restart, as a balancer expects.
      const [port, privatePort] = await unusedPorts(2);
      const addresses = ['--port', `${port}`, '--private-port', `${privatePort}`];
      // A node stops as an operator's does: it still responds for a while.
      const stop = ['--drain-idle-ms', '1000'];
      const args = ['--universe', universe, '--log-level', 'info', ...addresses, ...stop];
      const node = await ClusterNode.make({
        name: `node ${index}`,
        role,
        database,
        args,
        directory: path,
      });
      nodes.push(cleanUp.use(node));
    }
    await Promise.all(nodes.map((node) => node.start()));
    const cluster = new Cluster({ nodes, database, keys, below: cleanUp.move() });
    await until('an update is acknowledged', () => cluster.pusher.acknowledgements > 0);
    return cluster;
  }

  /** The node that writes: the one that acknowledged the last update, a moment ago. */
  async writer(): Promise<ClusterNode> {
    const { pusher } = this;
    const before = pusher.acknowledgements;
    return until('a node acknowledges updates', () =>
      pusher.acknowledgements > before + 2 ? pusher.holder : undefined,
    );
  }

  /** The violations of a guarantee that were observed so far. Empty if all guarantees were kept. */
  get findings(): readonly string[] {
    return [this.pusher, ...this.readers].flatMap(({ findings }) => findings);
  }

  /** Waits until every running node shows at least what was acknowledged before the call. */
  async converges(): Promise<void> {
    const acknowledged = new Map(this.pusher.acknowledged);
    for (const reader of this.readers) {
      await until('a node shows what was acknowledged', async () => {
        if (!(await reader.read())) return false;
        return [...acknowledged].every(
          ([ticker, price]) => (reader.shown.get(ticker) ?? 0) >= price,
        );
      }).catch((fault: unknown) => {
        const behind = [...acknowledged]
          .filter(([ticker, price]) => (reader.shown.get(ticker) ?? 0) < price)
          .map(([ticker, price]) => `${ticker} ${reader.shown.get(ticker)} < ${price}`);
        throw new Error(`acknowledged updates are lost: ${behind.join(', ')}`, { cause: fault });
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#work;
    await this.#below[Symbol.asyncDispose]();
  }
}

async function makeKey(store: string, scope: string): Promise<string> {
  const args = ['keys', 'create', '--name', scope, '--scope', scope, '--json', '--store', store];
  const { key } = JSON.parse(await pizarra(args)) as { readonly key: string };
  return key;
}

async function pizarra(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runPizarra(args);
  assert.equal(code, 0, `pizarra ${args[0]}: ${stderr}`);
  return stdout;
}
