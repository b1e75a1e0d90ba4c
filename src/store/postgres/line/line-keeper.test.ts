/** Real servers: a physical copy that is promoted begins a new timeline, and the first one is then a former primary. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { al30 } from '../../../../test/store/close-samples.ts';
import { nodeRecord } from '../../../../test/support/program/node-record.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import {
  startPostgres,
  type PostgresServer,
} from '../../../../test/support/postgres/postgres-server.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import { until } from '../../../../test/support/wait.ts';
import { parseLineage } from '../../../cluster/lineage.ts';
import type { AskLineages } from '../../contract/nodes.ts';
import { PostgresPlace } from '../postgres-place.ts';

const first = { id: 'first', name: 'machine 1' };
const schema = 'pizarra';

function placeOf(
  t: TestContext,
  servers: readonly PostgresServer[],
  askLineages?: AskLineages,
): PostgresPlace {
  const url = new URL(servers[0]?.url(schema) ?? '');
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const href = `postgres://pizarra@${hosts}${url.pathname}?schema=${schema}`;
  const place = new PostgresPlace(href, { ...placeDeps, askLineages });
  t.after(() => place[Symbol.asyncDispose]());
  return place;
}

async function commit(place: PostgresPlace, version: number): Promise<void> {
  await using claim = await place.claim(first);
  await using store = await place.open({ mode: 'create', claim });
  await store.quotes.commit({ quotes: [storedQuote(al30, version)], closes: [] });
}

async function versions(place: PostgresPlace): Promise<readonly number[]> {
  await using store = await place.open({ mode: 'read' });
  return (await store.quotes.readAll()).map(({ version }) => version);
}

/** Makes a process know what another one knows. */
function learn(place: PostgresPlace, text: string | undefined): void {
  const lineage = parseLineage(text ?? '');
  assert.ok(lineage !== undefined);
  place.line.known.meet(lineage);
}

/** A server with one quote of version 1, and a promoted copy of it, with version 2. The first one is started again. */
async function forked(t: TestContext) {
  const old = await startPostgres();
  t.after(() => old[Symbol.asyncDispose]());
  {
    await using place = placeOf(t, [old]);
    await commit(place, 1);
  }
  await old.stop();
  const promoted = await startPostgres({ copyOf: old });
  t.after(() => promoted[Symbol.asyncDispose]());
  await onServer(promoted, 'SELECT pg_promote()');
  {
    await using place = placeOf(t, [promoted]);
    await commit(place, 2);
  }
  await old.start();
  return { old, promoted };
}

const refused = {
  name: 'StoreFault',
  code: 'unavailable',
  message:
    /is on line \d+\/1 \(system\/timeline\) of the database, and line \d+\/2 is newer\. It is a former primary/,
};

describe('the line of a database', { skip: lacksPostgres() }, () => {
  test('of a former primary and its successor, every process uses the successor, whichever the URL names first', async (t) => {
    const { old, promoted } = await forked(t);
    for (const servers of [
      [old, promoted],
      [promoted, old],
    ]) {
      const place = placeOf(t, servers);
      assert.deepEqual(await versions(place), [2]);
      assert.match(place.line.text ?? '', /^\d+\/2$/);
      await using claim = await place.claim(first);
      assert.ok(claim.token > 2);
    }
    assert.deepEqual(await onServer(old, `SELECT token FROM ${schema}.lease`), [['1']]);
  });

  test('a process that has seen the successor refuses the former primary by name, and takes no token there', async (t) => {
    const { old, promoted } = await forked(t);
    const before = placeOf(t, [promoted]);
    assert.deepEqual(await versions(before), [2]);
    const after = placeOf(t, [old]);
    // What another node has told it.
    learn(after, before.line.text);
    await assert.rejects(after.open({ mode: 'read' }), refused);
    await assert.rejects(after.claim(first), refused);
    assert.match(after.line.refusal ?? '', refused.message);
    assert.deepEqual(await onServer(old, `SELECT token FROM ${schema}.lease`), [['1']]);
  });

  test('a process asks the nodes that the database names, and refuses it when one of them knows a newer line', async (t) => {
    const { old, promoted } = await forked(t);
    const known = placeOf(t, [promoted]);
    await versions(known);
    const record = nodeRecord({ instance: 'other', advertisedUrl: 'http://machine-2/' });
    await onServer(
      old,
      `INSERT INTO ${schema}.nodes (id, record, seen_at)
        VALUES ('other', '${JSON.stringify(record)}', now() - interval '2 hours')`,
    );
    const asked: string[] = [];
    const ask: AskLineages = async (nodes) => {
      asked.push(...nodes.map(({ advertisedUrl }) => advertisedUrl));
      return [{ instance: 'restarted since', lineage: known.line.text ?? '' }];
    };
    await assert.rejects(placeOf(t, [old], ask).open({ mode: 'read' }), refused);
    assert.deepEqual(asked, ['http://machine-2/']);
    // Without a node that knows more, nothing tells it from the only primary.
    assert.deepEqual(await versions(placeOf(t, [old])), [1]);
  });

  test('a writer on the former primary stops storing as soon as it learns of the successor', async (t) => {
    const { old, promoted } = await forked(t);
    const known = placeOf(t, [promoted]);
    await versions(known);
    let heard: string | undefined;
    const ask: AskLineages = async () =>
      heard === undefined ? [] : [{ instance: 'x', lineage: heard }];
    const place = placeOf(t, [old], ask);
    await using claim = await place.claim(first);
    await using store = await place.open({ mode: 'write', claim });
    await store.quotes.commit({ quotes: [storedQuote(al30, 3)], closes: [] });
    await using _ = place.line.exchange();
    heard = known.line.text;
    await until('it has learned', () => place.line.text === heard);
    await assert.rejects(
      store.quotes.commit({ quotes: [storedQuote(al30, 4)], closes: [] }),
      refused,
    );
    assert.deepEqual(await onServer(old, `SELECT version FROM ${schema}.quotes`), [['3']]);
    await until('the claim is lost', () => claim.lost.aborted);
  });

  test('another database is refused by name until an operator says that it replaces the known one', async (t) => {
    const { old, promoted } = await forked(t);
    // Of its own `initdb`, as after a restore of a dump.
    const restored = await startPostgres({ initdb: 'own' });
    t.after(() => restored[Symbol.asyncDispose]());
    await commit(placeOf(t, [restored]), 3);
    const known = placeOf(t, [promoted]);
    await versions(known);
    const line = known.line.text ?? '';
    const node = (): PostgresPlace => {
      const place = placeOf(t, [restored]);
      learn(place, line);
      return place;
    };
    const other = {
      code: 'unavailable',
      message: new RegExp(
        `is another database \\(line \\d+/1, .*\\(line ${line}\\)\\..*pizarra store accept --store URL --instead-of ${line}"$`,
      ),
    };
    await assert.rejects(node().open({ mode: 'read' }), other);
    await assert.rejects(node().claim(first), other);

    const accepting = placeOf(t, [restored]);
    await assert.rejects(accepting.acceptInsteadOf('1/x'), { code: 'conflict' });
    const own = await accepting.acceptInsteadOf(line);
    await assert.rejects(accepting.acceptInsteadOf(own), { code: 'conflict' });
    const moved = node();
    assert.deepEqual(await versions(moved), [3]);
    assert.equal(moved.line.text, `${own}, ${line}`);
    // What it replaces is outdated from now on, whichever of its lines it is.
    for (const server of [promoted, old]) {
      const back = placeOf(t, [server]);
      learn(back, moved.line.text);
      await assert.rejects(back.open({ mode: 'read' }), {
        message: new RegExp(`line ${own} is newer`),
      });
    }
  });

  test('the line is read with the rights that every user has, and a server that does not tell it is used', async (t) => {
    const server = await startPostgres();
    t.after(() => server[Symbol.asyncDispose]());
    await commit(placeOf(t, [server]), 1);
    await onServer(
      server,
      `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA ${schema} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`,
    );
    const url = new URL(server.url(schema));
    url.username = 'reader';
    await using plain = new PostgresPlace(url.href, placeDeps);
    assert.deepEqual(await versions(plain), [1]);
    assert.match(plain.line.text ?? '', /^\d+\/1$/);
    await onServer(server, 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await using without = new PostgresPlace(url.href, placeDeps);
    assert.deepEqual(await versions(without), [1]);
    assert.equal(without.line.text, undefined);
  });
});
