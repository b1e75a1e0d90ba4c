import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { onServer } from '../../../../test/support/postgres/on-server.ts';
import {
  holdLock,
  placeDeps,
  sharedPostgres,
} from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { until } from '../../../../test/support/wait.ts';
import { al30, close, readRows } from '../../../../test/store/close-samples.ts';
import { barAt } from '../../../../test/support/market/bar-samples.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { StoreFault, type ClaimHolder } from '../../contract/store-fault.ts';
import type { Store } from '../../contract/store.ts';
import { PostgresPlace } from '../postgres-place.ts';
import { lockClass } from '../schema/create-schema.ts';
import { writerName } from './lease-sql.ts';
import { testChange, testStamp } from '../../../../test/support/market/test-change.ts';

const first = { id: 'first', name: 'machine 1' };
const second = { id: 'second', name: 'machine 2' };

/** Two processes that use one new place. The time of a frozen one does not pass. */
async function twoProcesses(t: TestContext, { isFrozen = false, isOtherFrozen = false } = {}) {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const url = server.url(schema);
  const frozenDeps = { ...placeDeps, monotonic: () => 0 };
  const one = new PostgresPlace(url, isFrozen ? frozenDeps : placeDeps);
  const other = new PostgresPlace(url, isOtherFrozen ? frozenDeps : placeDeps);
  t.after(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  return { server, schema, one, other };
}

function endLease(server: { readonly port: number }, schema: string) {
  return onServer(server, `UPDATE ${schema}.lease SET expires_at = '-infinity'`);
}

const fenced = { name: 'StoreFault', code: 'fenced' };

function commit(store: Store, version: number) {
  return store.quotes.commit({ quotes: [storedQuote(al30, version)], closes: [] });
}

async function versions(store: Store): Promise<readonly number[]> {
  return (await store.quotes.readAll()).map(({ version }) => version);
}

describe('the claim of a place in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('one process has it at a time, and the others learn who', async (t) => {
    const { one, other } = await twoProcesses(t);
    {
      await using claim = await one.claim(first);
      await assert.rejects(other.claim(second), (fault) => {
        assert.ok(fault instanceof StoreFault);
        assert.deepEqual(fault.holder, first);
        assert.match(fault.message, /is served by machine 1$/);
        return true;
      });
      assert.deepEqual(await other.holder(), first);
      assert.equal(claim.lost.aborted, false);
    }
    await using later = await other.claim(second);
    assert.equal(later.token, 2);
  });

  test('a planned stop hands it to a process that waits, without waiting for the lease to end', async (t) => {
    // The time of the process that waits is frozen, so its next try would never come without the notification.
    const { one, other } = await twoProcesses(t, { isOtherFrozen: true });
    const claim = await one.claim(first);
    const holders: (ClaimHolder | undefined)[] = [];
    const waiting = other.claim(second, {
      waiting: new AbortController().signal,
      onHolder: (holder) => holders.push(holder),
    });
    await until('the stand-by knows the holder', () => holders.length > 0);
    await claim[Symbol.asyncDispose]();
    await using taken = await waiting;
    assert.deepEqual(holders, [first]);
    assert.equal(taken.token, claim.token + 1);
  });

  test('a process that stops waiting gets the reason of its signal, and leaves no claim behind', async (t) => {
    const { one, other } = await twoProcesses(t);
    const stop = new AbortController();
    {
      await using claim = await one.claim(first);
      assert.equal(claim.lost.aborted, false);
      const waiting = other.claim(second, { waiting: stop.signal });
      stop.abort(new Error('stopped'));
      await assert.rejects(waiting, /stopped/);
    }
    assert.equal(await other.holder(), undefined);
  });

  test('a suspended process is replaced, and its commits are refused whatever it believes', async (t) => {
    const { one, other } = await twoProcesses(t, { isFrozen: true });
    const claim = await one.claim(first);
    await using old = await one.open({ mode: 'create', claim });
    await commit(old, 1);
    const beganAt = systemClock.monotonic();
    await using taken = await other.claim(second, { waiting: new AbortController().signal });
    const elapsedMs = systemClock.monotonic() - beganAt;
    assert.ok(elapsedMs > 1_500, `${elapsedMs} ms`);
    await using store = await other.open({ mode: 'create', claim: taken });
    assert.deepEqual(await versions(store), [1]);
    await commit(store, 5);
    // By its own clock, no time has passed since it got the claim.
    assert.equal(claim.lost.aborted, false);
    const tickerBar = { ticker: al30, bar: barAt('2026-11-20', '11:00', [1, 1, 1, 1], 1) };
    const ownClose = { ticker: al30, close: close('2026-05-04', 9) };
    await assert.rejects(commit(old, 9), fenced);
    await assert.rejects(
      old.quotes.commit({
        quotes: [storedQuote(al30, 9)],
        closes: [ownClose],
        storedAt: testChange.at,
        bars: [tickerBar],
      }),
      fenced,
    );
    await assert.rejects(old.bars.tidyBars({ idleSince: 0, sessionsMax: 0 }), fenced);
    assert.equal(claim.lost.aborted, true);
    assert.match(String(claim.lost.reason), /another writer has taken over/);
    assert.deepEqual(await versions(store), [5]);
    assert.deepEqual(await readRows(store, al30), []);
    assert.deepEqual(await store.bars.latestBarDay(al30), undefined);
    await claim[Symbol.asyncDispose]();
    assert.deepEqual(await other.holder(), second, 'a lost claim is not released');
  });

  test('a holder learns from its renewal that another process has taken over, and stops', async (t) => {
    const { server, schema, one, other } = await twoProcesses(t);
    await using claim = await one.claim(first);
    await using store = await one.open({ mode: 'create', claim });
    await using taken = await until('the other process takes over', async () => {
      // A renewal that arrives in between gives the claim back to the holder.
      await endLease(server, schema);
      return other.claim(second).catch((fault: unknown) => {
        if (fault instanceof StoreFault && fault.holder !== undefined) return undefined;
        throw fault;
      });
    });
    await until('the claim is lost', () => claim.lost.aborted);
    await assert.rejects(commit(store, 1), fenced);
    assert.deepEqual(await versions(store), []);
    assert.equal(taken.lost.aborted, false);
  });

  test('an attempt of a commit that arrives after a later one changes nothing', async (t) => {
    const { server, schema, one } = await twoProcesses(t);
    await using claim = await one.claim(first);
    await using store = await one.open({ mode: 'create', claim });
    await commit(store, 3);
    const [[commits]] = (await onServer(server, `SELECT commits FROM ${schema}.lease`)) as [
      [string],
    ];
    // The number of the commit that arrives late is not above that of the last one.
    const late = { ...claim.fence, values: () => [claim.token, Number(commits)] as const };
    const rows = await onServer(
      server,
      `SET search_path = ${schema}; WITH fence AS (${late.sql
        .replaceAll('$1', String(late.values()[0]))
        .replaceAll('$2', String(late.values()[1]))}) SELECT count(*) FROM fence`,
    );
    assert.deepEqual(rows, [['0']]);
  });

  test('without a claim, quotes are stored only while nobody holds one', async (t) => {
    const { one, other } = await twoProcesses(t);
    await using store = await other.open({ mode: 'create' });
    await commit(store, 1);
    {
      await using claim = await one.claim(first);
      assert.equal(claim.lost.aborted, false);
      await assert.rejects(commit(store, 2), fenced);
      const demonstration = other.demonstration();
      await using demo = await demonstration.open({ mode: 'create' });
      await assert.rejects(commit(demo, 2), fenced, 'the claim covers the demonstration');
    }
    await commit(store, 3);
    assert.deepEqual(await versions(store), [3]);
  });

  test('the claim of a place covers its demonstration, and no other place', async (t) => {
    const { one } = await twoProcesses(t);
    const { one: stranger } = await twoProcesses(t);
    await using claim = await one.claim(first);
    await using demo = await one.demonstration().open({ mode: 'create', claim });
    await commit(demo, 1);
    await assert.rejects(stranger.open({ mode: 'create', claim }), /of another place/);
  });

  test('a commit that waits for a lock of an import costs a fault, and not the claim', async (t) => {
    const { server, schema, one } = await twoProcesses(t);
    await using claim = await one.claim(first);
    await using store = await one.open({ mode: 'create', claim });
    const stop = new AbortController();
    const locked = holdLock(server, `SELECT FROM ${schema}.revisions FOR UPDATE`, stop.signal);
    await locked.isHeld;
    const endOfLease = async (): Promise<number> => {
      const text = `SELECT extract(epoch FROM expires_at) FROM ${schema}.lease`;
      return Number((await onServer(server, text))[0]?.[0]);
    };
    const before = await endOfLease();
    const ownClose = { ticker: al30, close: close('2026-05-04', 9) };
    // Longer than the lease lasts, with one attempt after the other, as the service makes them.
    await until('the lease was renewed twice', async () => {
      const busy = { name: 'StoreFault', code: 'busy' };
      await assert.rejects(
        store.quotes.commit({ quotes: [], closes: [ownClose], storedAt: testChange.at }),
        busy,
      );
      return (await endOfLease()) > before + 2;
    });
    assert.equal(claim.lost.aborted, false);
    stop.abort();
    await locked.isOver;
    await store.quotes.commit({ quotes: [], closes: [ownClose], storedAt: testChange.at });
    assert.equal((await readRows(store, al30)).length, 1);
  });

  test('an import of a writer that has lost its claim is given up', async (t) => {
    const { server, schema, one, other } = await twoProcesses(t);
    await using claim = await one.claim(first);
    await using store = await one.open({ mode: 'create', claim });
    const stop = new AbortController();
    const text = `SELECT pg_advisory_xact_lock(${lockClass + 1}, hashtext('${schema}'))`;
    const locked = holdLock(server, text, stop.signal);
    await locked.isHeld;
    const importing = store.history.transaction(() => Promise.resolve(), testStamp);
    const refused = assert.rejects(importing, { name: 'StoreFault', code: 'unavailable' });
    await endLease(server, schema);
    await using taken = await other.claim(second);
    await refused;
    assert.equal(claim.lost.aborted, true);
    assert.equal(taken.lost.aborted, false);
    stop.abort();
    await locked.isOver;
  });

  test('a lease from before the clock of the database was set back does not block anybody', async (t) => {
    const { server, schema, one, other } = await twoProcesses(t, { isFrozen: true });
    await using claim = await one.claim(first);
    await onServer(
      server,
      `UPDATE ${schema}.lease SET expires_at = clock_timestamp() + interval '1 hour'`,
    );
    assert.equal(await other.holder(), undefined);
    await using unclaimed = await other.open({ mode: 'create' });
    await commit(unclaimed, 1);
    await using taken = await other.claim(second);
    assert.equal(taken.token, claim.token + 1);
  });

  test('a process that waits reports the tries that fail, and gets the claim afterwards', async (t) => {
    const { server, schema, one, other } = await twoProcesses(t);
    await using _ = await one.open({ mode: 'create' });
    const stop = new AbortController();
    const locked = holdLock(server, `SELECT FROM ${schema}.lease FOR UPDATE`, stop.signal);
    await locked.isHeld;
    const faults: (readonly [string, number])[] = [];
    const waiting = other.claim(second, {
      waiting: new AbortController().signal,
      onFault: ({ code }, failures) => faults.push([code, failures]),
    });
    await until('two failures', () => faults.length === 2);
    stop.abort();
    await using claim = await waiting;
    assert.equal(claim.lost.aborted, false);
    assert.deepEqual(faults, [
      ['busy', 1],
      ['busy', 2],
    ]);
    await locked.isOver;
  });

  test('the sessions of a writer are found, whatever the name of the schema is', () => {
    for (const schema of ['pizarra', 'ñandú', 'x'.repeat(50)]) {
      assert.match(writerName(123_456, schema), /^[ -~]{1,63}$/);
    }
    assert.notEqual(writerName(1, 'a'), writerName(1, 'b'));
  });

  test('a statement of the old holder that is stuck does not delay the take-over', async (t) => {
    const { server, schema, one, other } = await twoProcesses(t, { isFrozen: true });
    await using claim = await one.claim(first);
    const name = writerName(claim.token, schema);
    await endLease(server, schema);
    const stuck = onServer(
      server,
      `SET application_name = '${name}'; BEGIN; UPDATE ${schema}.lease SET commits = commits; SELECT pg_sleep(60)`,
    );
    stuck.catch(() => undefined);
    await until('the lease is locked', async () => {
      const rows = await onServer(
        server,
        `SELECT count(*) FROM pg_stat_activity WHERE application_name = '${name}' AND query LIKE '%pg_sleep%'`,
      );
      return rows[0]?.[0] === '1';
    });
    await using taken = await other.claim(second, { waiting: new AbortController().signal });
    assert.equal(taken.token, claim.token + 1);
    await assert.rejects(stuck, /terminat/i);
  });

  test('a process whose clock is late or early does not claim, and says by how much', async (t) => {
    const { server, schema } = await twoProcesses(t);
    for (const [byMs, by] of [
      [-3_600_000, '3[56]\\d\\d\\.\\d s behind'],
      [3_600_000, '3[56]\\d\\d\\.\\d s ahead of'],
    ] as const) {
      const now = (): number => systemClock.now() + byMs;
      await using place = new PostgresPlace(server.url(schema), { ...placeDeps, now });
      await assert.rejects(place.claim(first), (fault) => {
        assert.ok(fault instanceof StoreFault);
        assert.match(fault.message, new RegExp(`the clock of this machine is ${by} that of`));
        return true;
      });
      assert.equal(place.clock.isOff, true);
      assert.equal(await place.holder(), undefined);
    }
  });

  test('a writer whose clock is set wrong stops within a second and hands over, and claims again when it is right', async (t) => {
    const { server, schema, other } = await twoProcesses(t);
    let byMs = 0;
    const now = (): number => systemClock.now() + byMs;
    await using place = new PostgresPlace(server.url(schema), { ...placeDeps, now });
    const claim = await place.claim(first);
    const store = await place.open({ mode: 'create', claim });
    await commit(store, 1);
    byMs = -3_600_000;
    await until('the writer has stopped', () => claim.lost.aborted);
    assert.match(String(claim.lost.reason), /3[56]\d\d\.\d s behind that of the database/);
    await assert.rejects(commit(store, 2), /3[56]\d\d\.\d s behind/);
    await store[Symbol.asyncDispose]();
    await claim[Symbol.asyncDispose]();
    // Without a release, the claim would be held until its lease ends.
    const taken = await other.claim(second);
    await taken[Symbol.asyncDispose]();

    const faults: StoreFault[] = [];
    const again = place.claim(first, {
      waiting: new AbortController().signal,
      onFault: (fault) => faults.push(fault),
    });
    await until('it has tried', () => faults.length > 0);
    byMs = 0;
    await using later = await again;
    assert.equal(later.token, taken.token + 1);
  });
});

test('a process that waits reports that the database cannot be reached', async () => {
  await using place = new PostgresPlace('postgres://nobody@127.0.0.1:1/none', placeDeps);
  const stop = new AbortController();
  const codes: string[] = [];
  const waiting = place.claim(first, {
    waiting: stop.signal,
    onFault: ({ code }, failures) => codes.push(`${code} ${failures}`),
  });
  await until('a failure', () => codes.length > 0);
  stop.abort();
  await assert.rejects(waiting);
  assert.deepEqual(codes, ['unavailable 1']);
});
