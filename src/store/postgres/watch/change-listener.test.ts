import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { al30, close, put } from '../../../../test/store/close-samples.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { postgresPlace, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import { until } from '../../../../test/support/wait.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { revisionSubjects, type Store, type StoreHint } from '../../contract/store.ts';
import { channelOf } from '../connection/reconnecting-session.ts';
import { changeAt, testChange } from '../../../../test/support/market/test-change.ts';

/** Subscribes to the hints of a store, and waits until it listens. */
async function listen(store: Store): Promise<Set<StoreHint>> {
  const hints = new Set<StoreHint>();
  store.hints.subscribe((hint) => hints.add(hint));
  await until('the store listens', () => hints.size > 0);
  hints.clear();
  return hints;
}

/** The name of the schema of a place, as its channel has it. */
function sessions(schema: string, purpose: string): string {
  return `FROM pg_stat_activity WHERE application_name = 'pizarra ${purpose} ${schema}'`;
}

function insertKey(store: Store, id: string): Promise<void> {
  const sha256 = id.padEnd(64, '0');
  return store.keys.insert({ id, name: id, scope: 'read', sha256, createdAt: 0 }, 'test');
}

const split = {
  ticker: al30,
  exDay: close('2026-05-04', 0).day,
  type: 'split',
  factor: 2,
  source: 'test',
} as const;

const cer = { index: 'CER', day: close('2026-05-04', 0).day, value: 7, source: 'test' } as const;

const terms = { ticker: al30, series: [], values: { factor: 1 } };

describe('the hints of a store in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('each change of another process is hinted at once, and only what has changed', async (t) => {
    const place = await postgresPlace(t);
    await using writer = await place.open({ mode: 'create' });
    await using reader = await place.open({ mode: 'read' });
    const hints = await listen(reader);
    const changes: readonly (readonly [StoreHint, () => Promise<unknown>])[] = [
      ['quotes', () => writer.quotes.commit({ quotes: [storedQuote(al30, 1)], closes: [] })],
      ['closes', () => put(writer, al30, [close('2026-05-04', 1)])],
      ['keys', () => insertKey(writer, 'a')],
      ['actions', () => writer.actions.apply({ put: [split] }, testChange)],
      ['indices', () => writer.indices.apply({ put: [cer] }, changeAt(1))],
      ['terms', () => writer.terms.apply({ put: [terms] }, changeAt(1))],
    ];
    for (const [hint, change] of changes) {
      const beganAt = systemClock.monotonic();
      await change();
      await until(hint, () => hints.has(hint));
      // Without a notification, a change would be noticed at the next second.
      t.diagnostic(`${hint}: ${(systemClock.monotonic() - beganAt).toFixed(1)} ms`);
      assert.deepEqual([...hints], [hint]);
      hints.clear();
    }
  });

  test('while nothing changes, revisions are known without a statement, and changes are seen at once', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    await using writer = await place.open({ mode: 'create' });
    await using reader = await place.open({ mode: 'read' });
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    await listen(reader);
    const { revision } = await reader.history.changesSince(0);
    const lastStatement = () =>
      onServer(server, `SELECT query_start ${sessions(schema, 'read')}`).then(String);
    await until('the revisions are known', async () => {
      const before = await lastStatement();
      await reader.keys.revision();
      await reader.actions.revision();
      await reader.indices.revision();
      await reader.history.changesSince(revision);
      return before === (await lastStatement());
    });
    for (const id of ['a', 'b', 'c']) {
      const before = await reader.keys.revision();
      await insertKey(writer, id);
      assert.equal(await writer.keys.revision(), before + 1, 'the process itself sees it');
      await until('the other one sees it', async () => (await reader.keys.revision()) > before);
    }
    await put(writer, al30, [close('2026-05-04', 1)]);
    await until(
      'the close is seen',
      async () => (await reader.history.changesSince(revision)).tickers.length > 0,
    );
  });

  test('a connection that the server closed is replaced, and every hint is repeated', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    await using writer = await place.open({ mode: 'create' });
    await using reader = await place.open({ mode: 'read' });
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    const hints = await listen(reader);
    await onServer(server, `SELECT pg_terminate_backend(pid) ${sessions(schema, 'watch')}`);
    await until('all hints are repeated', () => hints.size === revisionSubjects.length + 1);
    hints.clear();
    await insertKey(writer, 'a');
    await until('the new connection listens', () => hints.has('keys'));
  });

  test('a notification that says nothing known is ignored', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    await using writer = await place.open({ mode: 'create' });
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    const hints = await listen(writer);
    await onServer(server, `SELECT pg_notify('${channelOf(schema)}', 'nonsense')`);
    await insertKey(writer, 'a');
    await until('the next one arrives', () => hints.has('keys'));
    assert.deepEqual([...hints], ['keys']);
  });
});
