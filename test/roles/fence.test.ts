import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import { placeDeps, sharedPostgres } from '../support/postgres/postgres-place.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { within } from '../support/wait.ts';
import { DatabaseProxy } from '../cluster/database/database-proxy.ts';

const skip = lacksPostgres();

const quote = (version: number, last: number): StoredQuote => ({
  ticker: 'GGAL' as Ticker,
  version,
  session: {
    sessionDate: '2026-05-04' as PlainDate,
    last,
    volume: null,
    openAt: null,
    isInHistory: false,
    historyClose: null,
  },
  references: {},
});

/** Two nodes over one place. The first one reaches the database through a proxy. */
async function twoNodes(t: TestContext): Promise<{
  readonly proxy: DatabaseProxy;
  readonly first: PostgresPlace;
  readonly second: PostgresPlace;
}> {
  const server = await sharedPostgres();
  const url = server.url(server.unusedSchema());
  const proxy = await DatabaseProxy.start(server.port);
  const through = new URL(url);
  through.port = String(proxy.port);
  const first = new PostgresPlace(through.href, placeDeps);
  const second = new PostgresPlace(url, placeDeps);
  t.after(async () => {
    await proxy[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });
  return { proxy, first, second };
}

test(
  'a commit that arrives after the take-over is refused by the database, and the old holder stops by itself before',
  { skip },
  async (t) => {
    const { proxy, first, second } = await twoNodes(t);
    const claim = await first.claim({ id: 'one', name: 'one' });
    t.after(() => claim[Symbol.asyncDispose]());
    const store = await first.open({ mode: 'create', claim });
    t.after(() => store[Symbol.asyncDispose]());
    await store.quotes.commit({ quotes: [quote(1, 100)], closes: [] });

    // The bytes of the commit have left the process when the network stops.
    const held = proxy.holdNextCommit();
    const commit = store.quotes.commit({ quotes: [quote(2, 200)], closes: [] });
    const refused = assert.rejects(commit);
    await within('the commit is held', held.caught);
    proxy.cut({ toDatabase: 'drop', toNode: 'drop' });
    const cutAt = systemClock.monotonic();
    let stoppedMs = Infinity;
    claim.lost.addEventListener('abort', () => {
      stoppedMs = systemClock.monotonic() - cutAt;
    });

    const taken = await second.claim(
      { id: 'two', name: 'two' },
      { waiting: AbortSignal.timeout(180_000) },
    );
    t.after(() => taken[Symbol.asyncDispose]());
    const takenMs = systemClock.monotonic() - cutAt;
    assert.ok(stoppedMs < takenMs, `stopped after ${stoppedMs} ms, taken after ${takenMs} ms`);
    assert.ok(taken.token > claim.token);
    t.diagnostic(
      `the old holder stopped after ${stoppedMs.toFixed(0)} ms, the claim was taken after ${takenMs.toFixed(0)} ms`,
    );

    const next = await second.open({ mode: 'write', claim: taken });
    t.after(() => next[Symbol.asyncDispose]());
    await next.quotes.commit({ quotes: [quote(2, 300)], closes: [] });
    assert.equal(await held.release(), false, 'the database refuses the commit that was held');
    proxy.heal();
    proxy.reset();
    await refused;
    assert.deepEqual(await next.quotes.readAll(), [quote(2, 300)]);
  },
);

test(
  'a commit that is only late is stored, while its writer holds the claim',
  { skip },
  async (t) => {
    const { proxy, first } = await twoNodes(t);
    await using claim = await first.claim({ id: 'one', name: 'one' });
    await using store = await first.open({ mode: 'create', claim });
    await store.quotes.commit({ quotes: [quote(1, 100)], closes: [] });
    const held = proxy.holdNextCommit();
    const commit = store.quotes.commit({ quotes: [quote(2, 200)], closes: [] });
    await within('the commit is held', held.caught);
    assert.equal(await held.release(), true);
    await commit;
    assert.deepEqual(await store.quotes.readAll(), [quote(2, 200)]);
  },
);
