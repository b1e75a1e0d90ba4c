/** What docs/scaling.md says about the database of a cluster, done with the real program. */
import assert from 'node:assert/strict';
import { priceAt, pushPrice } from '../support/http/ask-service.ts';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { onServer } from '../support/postgres/on-server.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { startPizarra } from '../support/program/program.ts';
import { deferred, until } from '../support/wait.ts';

async function section(title: string): Promise<string> {
  const file = resolve(import.meta.dirname, '../../docs/scaling.md');
  const [, text = ''] = (await readFile(file, 'utf8')).split(`\n## ${title}\n`);
  return text.split('\n## ')[0] ?? '';
}

describe('the database of a cluster', { skip: lacksPostgres() }, () => {
  test('its password is changed without a failed request, with a passfile that is replaced', async (t) => {
    await using server = await startPostgres({
      hba: 'host all pizarra all trust\nhost all keeper all scram-sha-256\n',
    });
    const change = async (password: string): Promise<void> => {
      const passfile = `*:*:*:keeper:${password}\n`;
      await writeFile(`${file}.new`, passfile, { mode: 0o600 });
      await rename(`${file}.new`, file);
    };
    const file = join(await temporaryDirectory(t), 'pgpass');
    await change('one');
    await onServer(
      server,
      `CREATE ROLE keeper LOGIN PASSWORD 'one'; CREATE SCHEMA kept AUTHORIZATION keeper`,
    );
    const env = { PGPASSFILE: file };
    const store = server.url('kept').replace('pizarra@', 'keeper@');
    await using writer = await startPizarra(['--store', store], undefined, { env });
    await using other = await startPizarra(['--store', store, '--role', 'serve'], undefined, {
      env,
    });
    const administrator = server.url('kept');
    const { key: ingest } = await createKey(administrator, { name: 'push', scope: 'ingest' });
    const { key } = await createKey(administrator, { name: 'read', scope: 'read' });
    await until(
      'the first update is stored',
      async () => (await pushPrice(writer, ingest, 1)).status === 200,
    );
    const knows = async (): Promise<boolean> => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${other.url}/especies.txt`, { headers })).status === 200;
    };
    await until('the node that serves knows the key', knows);

    await onServer(server, `ALTER ROLE keeper PASSWORD 'two'`);
    assert.equal(
      (await pushPrice(writer, ingest, 2)).status,
      200,
      'open connections are not affected',
    );
    await until('it is shown', async () => (await priceAt(other, key)) === 2);
    await change('two');
    await onServer(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'`,
    );
    // From here on, every connection is opened with the new password.
    await until(
      'an update is stored',
      async () => (await pushPrice(writer, ingest, 3)).status === 200,
    );
    await until('it is shown', async () => (await priceAt(other, key)) === 3);
  });

  test('a user without the right to create gets a schema of its own, and a reader its rights after that', async () => {
    await using server = await startPostgres();
    await onServer(server, 'CREATE ROLE keeper LOGIN; CREATE ROLE reader LOGIN');
    const asUser = (name: string): string => server.url('pizarra').replace('pizarra@', `${name}@`);
    await using node = await startPizarraLater(['--store', asUser('keeper')]);
    await node.logged('permission denied for database');
    await node.logged('Grant the user');

    const statements = (await section('Two nodes and a managed database')).match(
      /`(CREATE SCHEMA [^`]+)`/,
    );
    await onServer(server, (statements?.[1] ?? '').replace(/pizarra$/, 'keeper'));
    await node.logged('this node writes');

    await using reader = await startPizarraLater(['--store', asUser('reader'), '--role', 'serve']);
    await reader.logged('permission denied for schema');
    const grants = (await section('Roles')).match(/^GRANT .*;$/gm) ?? [];
    assert.equal(grants.length, 4);
    await onServer(server, grants.join('\n'));
    await reader.logged('service ready');
  });

  test('a node on a newer schema reads while it runs, and neither writes nor starts', async () => {
    await using server = await startPostgres();
    const store = server.url('newer');
    await using writer = await startPizarra(['--store', store]);
    const { key: ingest } = await createKey(store, { name: 'push', scope: 'ingest' });
    const { key } = await createKey(store, { name: 'read', scope: 'read' });
    await until(
      'an update is stored',
      async () => (await pushPrice(writer, ingest, 1)).status === 200,
    );
    await using other = await startPizarra(['--store', store]);
    await onServer(server, 'UPDATE newer.schema_version SET version = version + 1');
    assert.equal(await writer.stop(), 0);
    await other.logged('could not write, standing by');
    await other.logged('was written by a newer version of Pizarra');
    assert.equal(await priceAt(other, key), 1);
    assert.equal((await pushPrice(other, ingest, 2)).status, 503);
    for (const role of ['all', 'serve']) {
      await assert.rejects(
        startPizarra(['--store', store, '--role', role]),
        /ended with 1.*newer version/s,
      );
    }
  });

  test('a node that only serves follows a read replica, within some seconds', async () => {
    await using primary = await startPostgres();
    await primary.stop();
    const settings = { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=pizarra` };
    await using replica = await startPostgres({ copyOf: primary, settings });
    await primary.start();
    await using writer = await startPizarra(['--store', primary.url('kept')]);
    const { key: ingest } = await createKey(primary.url('kept'), { name: 'push', scope: 'ingest' });
    const { key } = await createKey(primary.url('kept'), { name: 'read', scope: 'read' });
    await until(
      'an update is stored',
      async () => (await pushPrice(writer, ingest, 1)).status === 200,
    );

    const refused = await startPizarraLater(['--store', replica.url('kept'), '--role', 'serve']);
    await refused.logged('is a standby, which accepts no writes');
    await refused[Symbol.asyncDispose]();

    const store = replica.url('kept', { target_session_attrs: 'any' });
    await using reader = await startPizarra(['--store', store, '--role', 'serve']);
    for (const last of [1, 2, 3]) {
      assert.equal((await pushPrice(writer, ingest, last)).status, 200);
      await until(`it shows ${last}`, async () => (await priceAt(reader, key)) === last);
    }
    assert.match(reader.stderr(), /could not publish the addresses of the service/);
  });
});

/** A node that is not ready yet, and its log. */
async function startPizarraLater(
  args: readonly string[],
): Promise<AsyncDisposable & { logged(text: string): Promise<void> }> {
  let output = '';
  const spawned = deferred<() => void>();
  const ready = startPizarra(args, (child) => {
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    spawned.resolve(() => void child.kill());
  });
  // It may end before it is ready.
  ready.catch(() => undefined);
  const stop = await spawned.promise;
  return {
    logged: async (text) => void (await until(`the log has ${text}`, () => output.includes(text))),
    [Symbol.asyncDispose]: async () => {
      stop();
      await ready.then((service) => service.stop()).catch(() => undefined);
    },
  };
}
