/** A stand-by that has to take over while the server has no connection left. */
import assert from 'node:assert/strict';
import { pushPrice } from '../support/http/ask-service.ts';
import { spawn } from 'node:child_process';
import { describe, test, type TestContext } from 'node:test';

import { Client } from 'pg';

import { checkTakeOver } from '../../src/operator/doctor/check-responses.ts';
import type { EmbeddedService } from '../../src/embed/embedded-service.ts';
import { startService } from '../../src/embed/start-service.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { repeat } from '../../src/lib/time/repeat.ts';
import type { ReadinessCheck } from '../support/http/readiness-check.ts';
import { launcher } from '../support/program/launcher.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { startPostgres, type PostgresServer } from '../support/postgres/postgres-server.ts';
import { once, until } from '../support/wait.ts';

/** Few, so that a test uses all of them quickly: two nodes need 14. */
const settings = { max_connections: '24' };

/** The sessions of the nodes, by what each is for. */
interface Seen {
  readonly client: Client;
  readonly names: () => Promise<readonly string[]>;
}

/** Looks at the sessions of the server, on a connection that is opened before the others are used up. */
async function observer(t: TestContext, { port }: PostgresServer): Promise<Seen> {
  const client = await connect(port);
  t.after(() => client.end());
  const names = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ readonly name: string }>(
      `SELECT split_part(application_name, ' ', 2) AS name FROM pg_stat_activity
        WHERE application_name LIKE 'pizarra %' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  return { client, names };
}

async function connect(port: number): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user: 'pizarra', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Another program that takes every connection that the server still permits, until it is disposed. */
class Crowd implements AsyncDisposable {
  readonly #clients: Client[] = [];
  readonly #running: AsyncDisposable;
  /** Whether the server has refused a connection. */
  isFull = false;

  constructor({ port }: PostgresServer) {
    const take = async (): Promise<void> => void this.#clients.push(await connect(port));
    const onFault = (): void => {
      this.isFull = true;
    };
    this.#running = repeat(take, { pauseMs: 5, onFault });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
    await Promise.all(this.#clients.map((client) => client.end()));
  }
}

/** A node in a process of its own, which can be killed. */
async function startChild(t: TestContext, store: string) {
  const ports = ['--port', '0', '--private-port', '0'];
  const child = spawn(process.execPath, [launcher, 'serve', '--store', store, ...ports], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()));
  await until('it writes', () => log.includes('this node writes'));
  return child;
}

async function startNode(t: TestContext, store: string) {
  const lines: string[] = [];
  const note = (_: object, text: string): void => void lines.push(text);
  const node = await startService({
    store,
    port: 0,
    privatePort: 0,
    drainIdleMs: 0,
    log: { ...silentLog, info: note, warn: note, error: note },
  });
  t.after(() => node[Symbol.asyncDispose]());
  return { node, lines };
}

async function readiness({ privateUrl }: EmbeddedService): Promise<{
  readonly status: number;
  readonly body: string;
  readonly claim: ReadinessCheck | undefined;
}> {
  const response = await fetch(`${privateUrl}/readyz`);
  const body = await response.text();
  const { checks } = JSON.parse(body) as { readonly checks: Record<string, ReadinessCheck> };
  return { status: response.status, body, claim: checks['claim'] };
}

/** Pushes a price to the writer, as a program does that knows only another node. */
async function pushBy(node: EmbeddedService, ingest: string): Promise<void> {
  let said = '';
  const isStored = async (): Promise<boolean> => {
    // A node that has just started may not know the writer yet.
    const refused = await pushPrice(node, ingest, 1);
    const writer = refused.headers.get('pizarra-writer') ?? node.privateUrl;
    const response = await pushPrice({ privateUrl: writer }, ingest, 1);
    said = `${writer}: ${response.status} ${await response.text()}`;
    return response.status === 200;
  };
  await until('it is stored', isStored).catch((cause: unknown) => {
    throw new Error(said, { cause });
  });
}

const serving = ['place', 'read', 'watch'];
const standingBy = [...serving, 'claim', 'reserved', 'reserved', 'stand-by'].toSorted();
const writing = [...serving, 'claim', 'read', 'watch', 'write'].toSorted();

describe('a stand-by of a server without free connections', { skip: lacksPostgres() }, () => {
  test('takes over from a killed writer with the connections that it has reserved', async (t) => {
    await using server = await startPostgres({ settings });
    const store = server.url(server.unusedSchema());
    const { names } = await observer(t, server);
    const writer = await startChild(t, store);
    const { node, lines } = await startNode(t, store);
    const { key } = await node.createKey({ name: 'feed', scope: 'ingest' });
    await pushBy(node, key);
    const both = [...writing, ...standingBy].toSorted().toString();
    await until('only the lasting sessions', async () => (await names()).toString() === both);

    await using crowd = new Crowd(server);
    await until('no connection is left', () => crowd.isFull);
    const killed = once(writer, 'exit');
    writer.kill('SIGKILL');
    await killed;
    await until('it writes', () => lines.includes('this node writes'));
    assert.equal((await pushPrice(node, key, 7)).status, 200);
    assert.deepEqual(
      await names(),
      writing,
      'the sessions that were reserved, with their new names',
    );
    assert.ok(!lines.includes('could not write, standing by'), lines.join('\n'));
  });

  test('reports once that it could not take over, and once that it can again', async (t) => {
    await using server = await startPostgres({ settings });
    const store = server.url(server.unusedSchema());
    const { client, names } = await observer(t, server);
    const first = await startNode(t, store);
    await until('it writes', () => first.lines.includes('this node writes'));
    const { node, lines } = await startNode(t, store);
    const { key } = await node.createKey({ name: 'scraper', scope: 'metrics' });
    const { key: ingest } = await node.createKey({ name: 'feed', scope: 'ingest' });
    await pushBy(node, ingest);
    const isReserved = async () =>
      (await names()).filter((name) => name === 'reserved').length === 2;
    await until('it has reserved them', isReserved);
    await until('it is ready', async () => (await readiness(node)).status === 200);
    assert.deepEqual(checkTakeOver((await readiness(node)).body), []);

    {
      await using crowd = new Crowd(server);
      await until('no connection is left', () => crowd.isFull);
      const { status, body, claim } = await until('it is reported', async () => {
        // The node can be quicker than the crowd to take the connections that this sets free.
        if (await isReserved())
          await client.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'pizarra reserved %'`,
          );
        const seen = await readiness(node);
        return seen.claim?.ok === false ? seen : undefined;
      });
      assert.equal(status, 200, 'the node serves');
      assert.match(
        claim?.reason ?? '',
        /^standing by, the writer is .*\. This node could not take over: .*too many clients/,
      );
      const [finding] = checkTakeOver(body);
      assert.equal(finding?.state, 'warning');
      assert.ok(finding.says.startsWith(claim?.reason ?? '-'));
      assert.match(await metrics(node, key), /^pizarra_take_over_blocked 1$/m);
    }
    await until('it has reserved them again', async () => (await readiness(node)).claim?.ok);
    assert.ok(await isReserved());
    assert.match(await metrics(node, key), /^pizarra_take_over_blocked 0$/m);
    const about = lines.filter((line) => line.includes('connections to take over'));
    assert.deepEqual(about, [
      'could not reserve the connections to take over, retrying',
      'the connections to take over are reserved again',
    ]);
  });

  test('closes the sessions that it has reserved when it stops', async (t) => {
    await using server = await startPostgres({ settings });
    const store = server.url(server.unusedSchema());
    const { names } = await observer(t, server);
    const first = await startNode(t, store);
    await until('it writes', () => first.lines.includes('this node writes'));
    const { node } = await startNode(t, store);
    await until('it has reserved them', async () => (await names()).includes('reserved'));
    await node[Symbol.asyncDispose]();
    await until('its sessions are closed', async () => {
      const seen = await names();
      return !seen.includes('reserved') && !seen.includes('stand-by');
    });
  });
});

async function metrics({ privateUrl }: EmbeddedService, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  return await (await fetch(`${privateUrl}/metrics`, { headers })).text();
}
