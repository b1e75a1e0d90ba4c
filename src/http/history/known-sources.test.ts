import assert from 'node:assert/strict';
import { test } from 'node:test';

import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { StoreChange } from '../../domain/changes/version.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { ActionVersion, CloseVersion, TermsVersion } from '../../domain/history/versions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import { KnownSources } from './known-sources.ts';
import { testAnswering } from '../../../test/support/http/answering.ts';
import { noPayments } from '../../../test/support/market/no-payments.ts';

const [old, renamed, other] = ['VIEJA', 'NUEVA', 'OTRA'] as [Ticker, Ticker, Ticker];
const always = { from: firstEpochDay, to: lastEpochDay };

function by(at: number): StoreChange {
  return { at, origin: 'import' };
}

function close(day: number, value: number, at: number): CloseVersion {
  return { value: { day: day as EpochDay, close: value, volume: null }, stored: by(at) };
}

const change: CorporateAction = {
  type: 'ticker-change',
  ticker: old,
  newTicker: renamed,
  exDay: 20 as EpochDay,
  source: 'test',
};

/** A memory that counts its reads. Every read fails while it is broken. */
class Memory {
  readonly reads = { actions: 0, first: 0, terms: 0 };
  began = 100;
  isBroken = false;
  actionVersions: readonly ActionVersion[] = [];
  termsVersions: readonly TermsVersion[] = [];
  closes: ReadonlyMap<Ticker, readonly CloseVersion[]> = new Map();

  readonly memory = {
    readCloses: async (ticker: Ticker, { from, to }: typeof always) =>
      (this.closes.get(ticker) ?? []).filter(({ value: { day } }) => day >= from && day <= to),
    countCloses: async (tickers: readonly Ticker[], { from, to }: typeof always, instant: number) =>
      tickers.map((ticker) => {
        const all = (this.closes.get(ticker) ?? []).filter(({ stored }) => stored.at <= instant);
        return all.filter(({ value: { day } }) => day >= from && day <= to).length;
      }),
    knownSince: async (ticker: Ticker) => {
      this.reads.first += 1;
      if (this.isBroken) throw new Error('broken');
      return this.closes.get(ticker)?.[0]?.stored.at;
    },
    began: async () => this.began,
  };

  readonly actions = {
    readVersions: async () => {
      this.reads.actions += 1;
      if (this.isBroken) throw new Error('broken');
      return this.actionVersions;
    },
  };

  readonly terms = {
    readVersions: async () => {
      this.reads.terms += 1;
      if (this.isBroken) throw new Error('broken');
      return this.termsVersions;
    },
  };
}

/** Sources with a memory of answers of their own. */
function sourcesOf(
  memory: Memory,
  actions: () => CorporateActions = () => new CorporateActions([]),
): { readonly sources: KnownSources; readonly revisions: HistoryRevisions } {
  const revisions = new HistoryRevisions();
  const responses = testAnswering().memory;
  return {
    sources: new KnownSources({
      versions: memory,
      actions,
      revisions,
      responses,
      payments: noPayments,
    }),
    revisions,
  };
}

const instrumentOf = (ticker: Ticker): Instrument => ({ ticker }) as Instrument;

/** What work returns at its end. */
async function allOf<T>(work: Sliced<T>): Promise<T> {
  for (let slices = 0; slices < 1_000; slices += 1) {
    const { done, value } = await work.next();
    if (done === true) return value;
  }
  return assert.fail('the work has no end');
}

test('an instrument continues the closes of an earlier ticker from when the change of its ticker was known', async () => {
  const memory = new Memory();
  memory.closes = new Map([
    [old, [close(10, 1, 100), close(30, 9, 100)]],
    [renamed, [close(20, 2, 100), close(21, 3, 250)]],
  ]);
  memory.actionVersions = [{ value: change, stored: by(200) }];
  const { sources } = sourcesOf(memory, () => new CorporateActions([change]));
  const daysAt = async (instant: number): Promise<readonly number[]> => {
    const { history } = await sources.at(instant);
    const { days } = await history.readSeries(renamed, always);
    assert.deepEqual((await history.readBars(renamed, always)).days, days);
    return [...days];
  };
  assert.deepEqual(await daysAt(99), []);
  assert.deepEqual(await daysAt(199), [20]);
  assert.deepEqual(await daysAt(200), [10, 20]);
  assert.deepEqual(await daysAt(250), [10, 20, 21]);
});

test('the actions are read once for as long as those in force are the same', async () => {
  const memory = new Memory();
  let inForce = new CorporateActions([]);
  const { sources } = sourcesOf(memory, () => inForce);
  memory.actionVersions = [{ value: change, stored: by(200) }];
  const known = await sources.actionsAt(300);
  assert.equal(await sources.actionsAt(300), known);
  assert.deepEqual((await sources.actionsAt(199)).of(old), []);
  assert.equal(memory.reads.actions, 1);
  inForce = new CorporateActions([change]);
  memory.actionVersions = [{ value: change, stored: by(200), replaced: by(250) }];
  assert.deepEqual((await sources.actionsAt(300)).of(old), []);
  assert.equal((await sources.actionVersions()).length, 1);
  assert.equal(memory.reads.actions, 2);
});

test('the changes of an instrument are kept since the memory began, or since its first close if that is earlier', async () => {
  const memory = new Memory();
  const { sources, revisions } = sourcesOf(memory, () => new CorporateActions([change]));
  memory.closes = new Map([[renamed, [close(1, 1, 150)]]]);
  assert.equal(await sources.since(renamed), 100);
  memory.closes = new Map([[old, [close(1, 1, 50)]]]);
  assert.equal(await sources.since(renamed), 100, 'what was read is cached');
  revisions.increase([other]);
  assert.equal(await sources.since(renamed), 100, 'a change of another instrument');
  revisions.increase([old, renamed]);
  assert.equal(await sources.since(renamed), 50, 'of an earlier ticker, too');
  assert.equal(await sources.since(other), 100);
  assert.equal(await allOf(sources.sinceOfAll([])), 100);
  assert.equal(await allOf(sources.sinceOfAll([renamed, other].map(instrumentOf))), 100);
});

test('a read that fails is not cached', async () => {
  const memory = new Memory();
  const { sources } = sourcesOf(memory);
  const inForce = new CorporateActions([]);
  const { sources: steady } = sourcesOf(memory, () => inForce);
  memory.isBroken = true;
  await assert.rejects(sources.since(old), /broken/);
  await assert.rejects(steady.at(1), /broken/);
  memory.isBroken = false;
  assert.equal(await sources.since(old), 100);
  assert.deepEqual((await steady.at(1)).actions().of(old), []);
  assert.equal((await steady.at(1)).sessionDay(undefined as never), undefined);
});

test('the terms are read once until something has changed, and again after a read that fails', async () => {
  const memory = new Memory();
  const { sources, revisions } = sourcesOf(memory);
  memory.isBroken = true;
  await assert.rejects(sources.termsVersions(), /broken/);
  memory.isBroken = false;
  const versions = await sources.termsVersions();
  assert.equal(await sources.termsVersions(), versions);
  assert.equal(memory.reads.terms, 2);
  revisions.increase([]);
  await sources.termsVersions();
  assert.equal(memory.reads.terms, 3);
});
