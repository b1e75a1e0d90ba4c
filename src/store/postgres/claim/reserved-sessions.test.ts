import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { al30 } from '../../../../test/store/close-samples.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import { deferred, until } from '../../../../test/support/wait.ts';
import type { WriterClaim } from '../../contract/place.ts';
import { HostFinder } from '../connection/find-session.ts';
import { parsePostgresUrl } from '../target/postgres-url.ts';
import { LineKeeper } from '../line/line-keeper.ts';
import { PostgresPlace } from '../postgres-place.ts';
import { ReservedSessions } from './reserved-sessions.ts';

/** A process that writes, and one that has reserved its sessions. */
async function standBy(t: TestContext) {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const one = new PostgresPlace(server.url(schema), placeDeps);
  const other = new PostgresPlace(server.url(schema), placeDeps);
  t.after(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  const claim = await one.claim({ id: 'first', name: 'machine 1' });
  const results: (string | undefined)[] = [];
  const waiting = other.claim(
    { id: 'second', name: 'machine 2' },
    { waiting: new AbortController().signal, onReserved: (reason) => results.push(reason) },
  );
  /** The server processes of the sessions of the store and of the reserved ones, by name. */
  const processes = async (): Promise<ReadonlyMap<number, string>> => {
    const rows = await onServer(
      server,
      `SELECT pid, split_part(application_name, ' ', 2) FROM pg_stat_activity
        WHERE application_name IN ('pizarra reserved ${schema}', 'pizarra stand-by ${schema}',
          'pizarra read ${schema}', 'pizarra watch ${schema}') OR application_name LIKE 'pizarra write %'`,
    );
    return new Map(rows as [number, string][]);
  };
  await until('all are open', async () => (await processes()).size === 3);
  await until('the result is known', () => results.length > 0);
  return { server, schema, other, claim, waiting, results, processes };
}

async function commit(place: PostgresPlace, claim: WriterClaim): Promise<readonly number[]> {
  await using store = await place.open({ mode: 'create', claim });
  await store.quotes.commit({ quotes: [storedQuote(al30, 1)], closes: [] });
  return (await store.quotes.readAll()).map(({ version }) => version);
}

function named(processes: ReadonlyMap<number, string>, name: string): readonly number[] {
  return [...processes].filter(([, own]) => own === name).map(([pid]) => pid);
}

describe('the sessions that a stand-by reserves', { skip: lacksPostgres() }, () => {
  test('become those of its store, which opens no other one', async (t) => {
    const { other, claim, waiting, processes } = await standBy(t);
    const before = await processes();
    assert.equal(named(before, 'reserved').length, 2);
    await claim[Symbol.asyncDispose]();
    await using taken = await waiting;
    await using store = await other.open({ mode: 'create', claim: taken });
    await store.quotes.commit({ quotes: [storedQuote(al30, 1)], closes: [] });
    assert.equal((await store.quotes.readAll()).length, 1);
    const hints = new Set<string>();
    store.hints.subscribe((hint) => hints.add(hint));
    await until('it listens', () => hints.size > 0);
    const after = await processes();
    assert.deepEqual([...after.values()].toSorted(), ['read', 'watch', 'write']);
    assert.deepEqual(new Set(after.keys()), new Set(before.keys()));
    assert.deepEqual(named(after, 'watch'), named(before, 'stand-by'));
  });

  test('are closed with a claim that opens no store', async (t) => {
    const { claim, waiting, processes } = await standBy(t);
    await claim[Symbol.asyncDispose]();
    const taken = await waiting;
    await taken[Symbol.asyncDispose]();
    await until('they are closed', async () => (await processes()).size === 0);
  });

  test('are replaced when the server ends them', async (t) => {
    const { server, results, processes, claim, waiting } = await standBy(t);
    const before = named(await processes(), 'reserved');
    await onServer(
      server,
      `SELECT pg_terminate_backend(pid) FROM unnest(ARRAY[${before.join()}]) pid`,
    );
    await until('others are reserved', async () => {
      const now = named(await processes(), 'reserved');
      return now.length === 2 && now.every((pid) => !before.includes(pid));
    });
    assert.ok(
      results.every((reason) => reason === undefined),
      'one renewal is not reported',
    );
    await claim[Symbol.asyncDispose]();
    await (await waiting)[Symbol.asyncDispose]();
  });

  test('are not used if they do not respond at the take-over', async (t) => {
    const { other, claim, waiting, processes } = await standBy(t);
    const frozen = named(await processes(), 'reserved');
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      await claim[Symbol.asyncDispose]();
      await using taken = await waiting;
      assert.deepEqual(await commit(other, taken), [1]);
      assert.equal(taken.lost.aborted, false);
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
  });

  test('are not used if they see another token than the one that was granted', async (t) => {
    const { server, schema, claim, waiting } = await standBy(t);
    const lines = new LineKeeper({ ...placeDeps, askLineages: undefined, nodes: async () => [] });
    const target = parsePostgresUrl(server.url(schema));
    using hosts = new HostFinder(target, { ...placeDeps, lines });
    for (const token of [claim.token, claim.token + 1]) {
      const renewed = deferred<unknown>();
      await using reserved = new ReservedSessions(hosts, renewed.resolve);
      reserved.renew();
      assert.equal(await renewed.promise, undefined);
      await reserved.handOver(token, undefined);
      const isUsed = token === claim.token;
      for (const purpose of ['read', 'write'] as const) {
        const session = reserved.take(purpose);
        assert.equal(session?.isOpen, isUsed ? true : undefined);
        assert.equal(reserved.take(purpose), undefined, 'each one is taken once');
        await session?.close();
      }
    }
    await claim[Symbol.asyncDispose]();
    await (await waiting)[Symbol.asyncDispose]();
  });
});
