import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { storedQuote } from '../../../test/support/market/stored-quote.ts';
import { until } from '../../../test/support/wait.ts';
import { StoreFollower } from './follow-store.ts';

interface Pull {
  readonly resolve: (quotes: readonly StoredQuote[]) => void;
  readonly reject: (fault: Error) => void;
}

/** A store whose responses the test gives, and a follower's surroundings. */
class SlowStore {
  now = 0;
  hint: () => void = () => undefined;
  readonly published: number[] = [];
  readonly faults: unknown[] = [];
  /** The pulls without a response. */
  readonly pending: Pull[] = [];
  pulls = 0;

  open(): Promise<StoreFollower> {
    return StoreFollower.open({
      store: {
        readNewer: () => {
          this.pulls += 1;
          return new Promise((resolve, reject) => this.pending.push({ resolve, reject }));
        },
        subscribe: (onHint) => {
          this.hint = onHint;
          return { [Symbol.dispose]: () => undefined };
        },
      },
      universe: sampleUniverse,
      publish: (quotes) => this.published.push(...quotes.map(({ version }) => version)),
      monotonic: () => this.now,
      random: () => 0,
      onFault: (fault) => this.faults.push(fault),
    });
  }

  respond(...versions: readonly number[]): void {
    const ticker = sampleUniverse.instruments[0]?.ticker ?? ('' as Ticker);
    this.pending.shift()?.resolve(versions.map((version) => storedQuote(ticker, version)));
  }
}

test('a slow pull is awaited and adopted, and no other one starts beside it', async () => {
  const store = new SlowStore();
  const opening = store.open();
  store.now = 1_200;
  store.hint();
  store.now = 2_500;
  store.hint();
  assert.equal(store.pulls, 1);
  store.respond(5);
  using follower = await opening;
  assert.deepEqual(store.published, [5]);
  assert.equal(follower.ageMs, 2_500);
  // The hints came during the pull, so it may have missed what they announced.
  await until('the next pull starts', () => store.pulls === 2, { everyTurn: true });
  store.now = 4_000;
  store.respond(6);
  await until('it is published', () => store.published.includes(6), { everyTurn: true });
  assert.equal(follower.ageMs, 1_500);
});

test('a first pull that fails rejects', async () => {
  const store = new SlowStore();
  const opening = store.open();
  store.pending.shift()?.reject(new Error('away'));
  await assert.rejects(opening, /away/);
});
