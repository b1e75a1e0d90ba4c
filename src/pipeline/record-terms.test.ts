import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, makeTerms } from '../../test/support/market/bond-samples.ts';
import { clockAt } from '../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { openTestStore } from '../../test/support/program/test-store.ts';
import { until } from '../../test/support/wait.ts';
import { temporaryDirectory } from '../../test/store/temporary-directory.ts';
import type { BondTerms } from '../domain/instruments/bond-terms.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Log } from '../lib/reports/log.ts';
import type { Store } from '../store/contract/store.ts';
import { recordOnce, recordTerms } from './record-terms.ts';

const lecap = makeTerms({ ticker: 'S31G7' as Ticker });

function universeOf(...bondTerms: readonly BondTerms[]) {
  return makeUniverse([], bondTerms);
}

/** Records the terms at an instant, and returns the result without `isFirst`. */
async function record(store: Store, at: number, ...terms: readonly BondTerms[]) {
  const universe = universeOf(...terms);
  const { isFirst, ...changed } = await recordOnce({ store, universe, clock: clockAt(() => at) });
  return { isFirst, ...changed };
}

test('the first record has no known origin, and what differs later comes from the universe', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  const none = { isFirst: false, added: [], changed: [], removed: [] };
  assert.deepEqual(await record(store, 10, al30), { ...none, isFirst: true, added: ['AL30'] });
  assert.deepEqual(await record(store, 20, al30), none);
  const longer: BondTerms = { ...al30, series: ['AL30D' as Ticker] };
  assert.deepEqual(await record(store, 30, longer, lecap), {
    ...none,
    added: ['S31G7'],
    changed: ['AL30'],
  });
  assert.deepEqual(await record(store, 40, lecap), { ...none, removed: ['AL30'] });
  const versions = await store.terms.readVersions();
  assert.deepEqual(
    versions.map(({ value, stored, replaced }) => [
      value.ticker,
      value.series.length,
      stored,
      replaced?.at,
    ]),
    [
      ['AL30', 2, { at: 10, origin: 'unknown' }, 30],
      ['AL30', 1, { at: 30, origin: 'universe' }, 40],
      ['S31G7', 0, { at: 30, origin: 'universe' }, undefined],
    ],
  );
  assert.equal(versions[0]?.value.values.amortisation, '2024-07-09=4;2025-01-09/2030-07-09=8');
});

test('without a difference nothing is written, and a universe without bonds is recorded once', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  await record(store, 10);
  let records = 0;
  const counted = {
    terms: {
      readAll: () => store.terms.readAll(),
      apply: (...args: Parameters<Store['terms']['apply']>) => {
        records += 1;
        return store.terms.apply(...args);
      },
    },
  } as Store;
  await record(counted, 20);
  assert.equal(records, 0);
  await record(counted, 30, al30);
  await record(counted, 40, al30);
  assert.equal(records, 1);
  const [version] = await store.terms.readVersions();
  assert.deepEqual(version?.stored, { at: 30, origin: 'universe' });
});

test('a record begins after the start, is repeated after a fault, and is reported', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  const lines: unknown[] = [];
  const pauses: number[] = [];
  let elapsed = 0;
  const line = (details: object, message: string): void => {
    const { err, ...others } = details as { readonly err?: Error };
    lines.push([message, err?.message ?? others]);
  };
  const log: Log = { debug: line, info: line, warn: line, error: line };
  let faults = 3;
  const failing = {
    terms: {
      apply: (...args: Parameters<Store['terms']['apply']>) => store.terms.apply(...args),
      readAll: async () => {
        if (faults > 0) throw new Error(`fault ${(faults -= 1)}`);
        return store.terms.readAll();
      },
    },
  } as Store;
  const run = async (...terms: readonly BondTerms[]) => {
    const count = lines.length;
    await using _ = recordTerms({
      store: failing,
      universe: universeOf(...terms),
      clock: { now: () => 10, monotonic: () => elapsed },
      pause: async (ms) => {
        pauses.push(ms);
        elapsed += ms;
      },
      log,
    });
    await until('the record is reported', () => {
      const [message] = (lines.at(-1) ?? []) as readonly string[];
      return lines.length > count && message?.startsWith('terms') === true;
    });
  };
  await run(al30);
  assert.deepEqual(pauses, [500, 60_000, 60_000, 60_000]);
  await run(lecap);
  assert.deepEqual(lines, [
    ['could not record the terms of bonds, retrying', 'fault 2'],
    ['could not record the terms of bonds, retrying', 'fault 1'],
    ['terms of bonds recorded', { issues: 1 }],
    ['terms of bonds have changed', { added: ['S31G7'], changed: [], removed: ['AL30'] }],
  ]);
});

test('a record that is disposed before it begins writes nothing', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
  {
    await using _ = recordTerms({
      store,
      universe: universeOf(al30),
      clock: clockAt(() => 10),
      pause: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
      log,
    });
  }
  assert.equal(await store.terms.revision(), 0);
});
