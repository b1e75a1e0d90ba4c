import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openLackingDays } from '../../node/market/lacking-days-note.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault, type FeedFaultCode } from '../../feeds/contract/feed.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import { silentLog } from '../../lib/reports/log.ts';
import {
  fetchHistory,
  type HistoryFetchProgress,
  type HistoryFetchRequest,
  type HistoryFetchSummary,
} from './fetch-history.ts';
import { SqlitePlace } from '../../store/sqlite/sqlite-place.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { allDays } from '../../../test/store/close-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

const ggal = 'GGAL' as Ticker;
const ypf = 'YPFD' as Ticker;
const risk = 'RIESGO PAIS' as Ticker;
const universe = makeUniverse([
  { ticker: ggal },
  { ticker: ypf },
  { ticker: risk, kind: 'country-risk' },
]);

/** Friday 20 November 2026, 18:00 in Buenos Aires: the session of the day ended an hour ago. */
const evening = Date.UTC(2026, 10, 20, 21);

/** The week from Monday 16 to Friday 20 November 2026 without a holiday. */
const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];

function closeOf(date: string, close: number, volume: number | null = null): DailyClose {
  return { day: toEpochDay(date as PlainDate), close, volume };
}

/** A source with these closes. `answers` replaces its next answers: a fault is thrown, in order. */
function sourceOf(
  name: string,
  series: Readonly<Record<string, readonly DailyClose[]>>,
  options: Partial<HistorySource> & { readonly faults?: (FeedFault | undefined)[] } = {},
): HistorySource & { readonly requests: string[] } {
  const requests: string[] = [];
  const { faults = [], ...rest } = options;
  return {
    name,
    instruments: Object.keys(series) as Ticker[],
    spacingMs: 0,
    requests,
    fetch: async ({ ticker, from, to }) => {
      requests.push(`${ticker} ${from} ${to}`);
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return { closes: series[ticker] ?? [], rejected: [] };
    },
    ...rest,
  };
}

function wrong(): FeedFault {
  return new FeedFault('unintelligible', 'not JSON');
}

/** A store, a clock that only pauses advance, and a fetch over them. */
class Rig {
  readonly directory: string;
  readonly store: Store;
  readonly pauses: number[] = [];
  readonly progress: HistoryFetchProgress[] = [];
  now = evening;
  monotonic = 0;
  /** The names of the configured sources. By default those that are asked. */
  order: readonly string[] | undefined;

  constructor(directory: string, store: Store) {
    this.directory = directory;
    this.store = store;
  }

  static async open(t: TestContext): Promise<Rig> {
    const directory = await mkdtemp(join(tmpdir(), 'pizarra-fetch-'));
    const store = await openSqliteStore({ directory });
    t.after(async () => {
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });
    return new Rig(directory, store);
  }

  async fetch(
    sources: readonly HistorySource[],
    request: Partial<HistoryFetchRequest> = {},
    aborter: AbortController = new AbortController(),
  ): Promise<HistoryFetchSummary> {
    const clock = { now: () => this.now, monotonic: () => this.monotonic };
    const { notes } = new SqlitePlace(this.directory);
    await using lacking = await openLackingDays(notes, { clock, log: silentLog });
    return await fetchHistory(
      { from: '2026-11-16' as PlainDate, ...request },
      {
        sources,
        order: new SourceOrder(this.order ?? sources.map(({ name }) => name)),
        history: this.store.history,
        actions: this.store.actions,
        universe,
        clock,
        random: () => 0,
        pause: async (ms, signal) => {
          signal.throwIfAborted();
          this.pauses.push(ms);
          this.monotonic += ms;
        },
        lacking: lacking.days,
        signal: aborter.signal,
        onProgress: (one) => void this.progress.push(one),
      },
    );
  }

  put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    return this.store.history.transaction(
      (transaction) => transaction.put(ticker, closes),
      testStamp,
    );
  }

  closes(ticker: Ticker): Promise<readonly DailyClose[]> {
    return this.store.history.readCloses(ticker, allDays);
  }

  /** `date close` of each stored close. */
  async stored(ticker: Ticker): Promise<readonly string[]> {
    const closes = await this.closes(ticker);
    return closes.map(({ day, close }) => `${fromEpochDay(day)} ${close}`);
  }
}

const fullWeek = week.map((date, index) => closeOf(date, 100 + index));

test('a fetch adds the closes of session days, and asks only for the range that is missing', async (t) => {
  const rig = await Rig.open(t);
  await rig.put(ggal, [closeOf('2026-11-16', 100), closeOf('2026-11-20', 104)]);
  const source = sourceOf('one', { GGAL: fullWeek });
  const { sources, missing } = await rig.fetch([source]);
  assert.deepEqual(source.requests, ['GGAL 2026-11-17 2026-11-19']);
  assert.equal(sources[0]?.added, 3);
  assert.deepEqual(missing, []);
  assert.equal((await rig.stored(ggal)).length, 5);
});

test('a stored close of another source is never changed, and a close that differs from it is reported', async (t) => {
  const rig = await Rig.open(t);
  const stored = [
    { ...closeOf('2026-11-17', 250), source: 'session:one' },
    { ...closeOf('2026-11-18', 93.89), source: 'import:x.csv' },
    closeOf('2026-11-19', 7),
  ];
  await rig.put(ggal, stored);
  const revision = await rig.store.history.changesSince(0);
  const closes = [
    closeOf('2026-11-17', 101, 5),
    closeOf('2026-11-18', 93.889999, 5),
    closeOf('2026-11-19', 8),
  ];
  const { sources } = await rig.fetch([sourceOf('one', { GGAL: closes })]);
  assert.deepEqual(await rig.closes(ggal), stored);
  assert.deepEqual(await rig.store.history.changesSince(0), revision);
  const [result] = sources;
  assert.deepEqual([result?.different, result?.corrected, result?.instruments], [2, 0, 0]);
  assert.deepEqual(result?.conflicts, [
    {
      ticker: ggal,
      day: toEpochDay('2026-11-17' as PlainDate),
      stored: 250,
      storedSource: 'session:one',
      offered: 101,
      offeredSource: 'one',
    },
    {
      ticker: ggal,
      day: toEpochDay('2026-11-19' as PlainDate),
      stored: 7,
      offered: 8,
      offeredSource: 'one',
    },
  ]);
});

test('a source corrects the closes that it has sent before, which is counted and is no conflict', async (t) => {
  const rig = await Rig.open(t);
  await rig.fetch([sourceOf('one', { GGAL: fullWeek.slice(0, 3) })]);
  const corrected = fullWeek.map((close, index) =>
    index === 1 ? { ...close, close: 101.5, volume: 9, high: 102 } : close,
  );
  // Monday is asked for again, because it is missing once more.
  const source = sourceOf('one', { GGAL: corrected });
  const { sources } = await rig.fetch([source]);
  const [result] = sources;
  assert.deepEqual([result?.added, result?.corrected, result?.instruments], [2, 1, 1]);
  assert.deepEqual([result?.different, result?.conflicts], [0, []]);
  const stored = corrected.map((close) => ({ ...close, source: 'one' }));
  assert.deepEqual(await rig.closes(ggal), stored);
});

function splitOf(date: string, factor: number): CorporateAction {
  const exDay = toEpochDay(date as PlainDate);
  return { ticker: ggal, exDay, type: 'split', factor, source: 'one' };
}

test('the corporate actions of a source are counted, and those that the closes contradict are listed', async (t) => {
  const rig = await Rig.open(t);
  const recorded = splitOf('2026-10-20', 1.1);
  const contradicted = splitOf('2026-11-18', 10);
  const source: HistorySource = {
    ...sourceOf('one', { GGAL: [], YPFD: [] }),
    fetch: async ({ ticker }) => ({
      closes: fullWeek,
      rejected: [],
      ...(ticker === ggal && { actions: [recorded, contradicted] }),
    }),
  };
  const { sources } = await rig.fetch([source]);
  assert.equal(sources[0]?.actions, 1);
  assert.deepEqual(sources[0].contradicted, [contradicted]);
  assert.deepEqual((await rig.store.actions.readAll()).values, [recorded]);
});

test('a fetch lists at most 10,000 conflicts of a source, and counts all', async (t) => {
  const rig = await Rig.open(t);
  rig.now = Date.UTC(2026, 10, 20, 21);
  const first = toEpochDay('1990-01-01' as PlainDate);
  const last = toEpochDay('2026-11-19' as PlainDate);
  const days = Array.from({ length: last - first + 1 }, (_, at) => (first + at) as EpochDay);
  const calendar = new SessionCalendar(universe.marketOf(universe.get(ggal)));
  const sessions = days.filter((day) => calendar.isSessionDay(day));
  const closes = (value: number) => sessions.map((day) => ({ day, close: value, volume: null }));
  await rig.put(ggal, closes(1));
  await rig.put(ypf, closes(1));
  const series = { GGAL: closes(2), YPFD: closes(2) };
  const { sources } = await rig.fetch([sourceOf('one', series)], {
    from: '1990-01-01' as PlainDate,
  });
  assert.equal(sources[0]?.different, 2 * sessions.length);
  assert.ok(sessions.length < 10_000 && 2 * sessions.length > 10_000);
  assert.equal(sources[0].conflicts.length, 10_000);
  assert.equal(sources[0].conflicts.at(-1)?.ticker, ypf);
});

test('the first source that has a close is the one that is used, and the second fills the rest', async (t) => {
  const rig = await Rig.open(t);
  const first = sourceOf('first', { GGAL: [closeOf('2026-11-16', 1), closeOf('2026-11-18', 3)] });
  const second = sourceOf('second', { GGAL: week.map((date) => closeOf(date, 7)) });
  const { sources } = await rig.fetch([first, second]);
  assert.deepEqual(await rig.stored(ggal), [
    '2026-11-16 1',
    '2026-11-17 7',
    '2026-11-18 3',
    '2026-11-19 7',
    '2026-11-20 7',
  ]);
  assert.deepEqual(second.requests, ['GGAL 2026-11-17 2026-11-20']);
  assert.deepEqual(
    sources.map(({ conflicts }) => conflicts.map(({ offered }) => offered)),
    [[], [7, 7]],
  );
});

test('a day without a session, a day before the first one and a session under way are not stored', async (t) => {
  const rig = await Rig.open(t);
  rig.now = Date.UTC(2026, 10, 20, 15);
  const others = ['2026-11-13', '2026-11-15', '2026-11-21', '2026-11-23'];
  const closes = [...week, ...others].toSorted().map((date) => closeOf(date, 5));
  const source = sourceOf('one', { GGAL: closes });
  const { sources } = await rig.fetch([source]);
  assert.deepEqual(
    await rig.stored(ggal),
    week.slice(0, 4).map((date) => `${date} 5`),
  );
  assert.deepEqual(source.requests, ['GGAL 2026-11-16 2026-11-19']);
  assert.equal(sources[0]?.rejected, 0, 'days outside the range are no mistake of the source');
});

test('an instrument without a volume gets none from a source', async (t) => {
  const rig = await Rig.open(t);
  const closes = [closeOf('2026-11-16', 570, 12)];
  await rig.fetch([sourceOf('one', { 'RIESGO PAIS': closes, GGAL: closes })]);
  const range = {
    from: toEpochDay('2026-11-16' as PlainDate),
    to: toEpochDay('2026-11-16' as PlainDate),
  };
  assert.equal((await rig.store.history.readCloses(risk, range))[0]?.volume, null);
  assert.equal((await rig.store.history.readCloses(ggal, range))[0]?.volume, 12);
});

test('a fetch that is interrupted continues with the instruments that it has not filled', async (t) => {
  const rig = await Rig.open(t);
  const aborter = new AbortController();
  const first = sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek });
  const interrupted = {
    ...first,
    fetch: async (request: Parameters<HistorySource['fetch']>[0], signal: AbortSignal) => {
      if (request.ticker === ypf) aborter.abort();
      signal.throwIfAborted();
      return first.fetch(request, signal);
    },
  };
  const { wasAborted, missing } = await rig.fetch([interrupted], {}, aborter);
  assert.equal(wasAborted, true);
  assert.deepEqual(missing, [{ ticker: ypf, gaps: undefined }]);
  const second = sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek });
  const done = await rig.fetch([second]);
  assert.deepEqual(second.requests, ['YPFD 2026-11-16 2026-11-20']);
  assert.equal(done.wasAborted, false);
  assert.deepEqual(done.missing, []);
});

test('a day that a source lacks is requested again within a week of it, and otherwise after a month', async (t) => {
  const rig = await Rig.open(t);
  const from = '2026-11-02' as PlainDate;
  const source = sourceOf('one', { GGAL: fullWeek.filter((_, index) => index !== 2) });
  await rig.fetch([source], { from });
  assert.deepEqual(source.requests.splice(0), ['GGAL 2026-11-02 2026-11-20']);
  const { missing } = await rig.fetch([source], { from });
  assert.deepEqual(source.requests.splice(0), ['GGAL 2026-11-18 2026-11-18']);
  // Days before the first close are no gap.
  const wednesday = toEpochDay('2026-11-18' as PlainDate);
  assert.deepEqual(missing, [{ ticker: ggal, gaps: { days: 1, last: wednesday } }]);
  rig.now += 31 * 86_400_000;
  await rig.fetch([source], { from });
  assert.equal(source.requests.length, 1);
  assert.match(source.requests[0] ?? '', /^GGAL 2026-11-02/);
});

test('what one source lacks is requested from another, and a damaged memory from all', async (t) => {
  const rig = await Rig.open(t);
  const from = '2026-11-02' as PlainDate;
  await rig.fetch([sourceOf('one', { GGAL: fullWeek })], { from });
  const [one, two] = ['one', 'two'].map((name) => sourceOf(name, { GGAL: fullWeek }));
  assert.ok(one !== undefined && two !== undefined);
  await rig.fetch([one, two], { from });
  assert.deepEqual([one.requests.length, two.requests.length], [0, 1]);
  await writeFile(join(rig.directory, 'history-fetch.json'), '[{"source":"one","from":');
  await rig.fetch([one, two], { from });
  assert.deepEqual([one.requests.length, two.requests.length], [1, 2]);
});

test('a short Retry-After is obeyed, and the pause and its cause are reported as progress', async (t) => {
  const rig = await Rig.open(t);
  const faults = [new FeedFault('limited', 'status 429', { retryAfterMs: 90_000 })];
  const { sources } = await rig.fetch([sourceOf('one', { GGAL: fullWeek }, { faults })]);
  assert.deepEqual(rig.pauses, [90_000]);
  assert.deepEqual(
    rig.progress.map(({ waiting }) => waiting),
    [undefined, { ms: 90_000, cause: 'status 429' }, undefined],
  );
  assert.equal(sources[0]?.added, 5);
});

test('a source that asks for a long pause is left for the next run, and the others go on', async (t) => {
  const rig = await Rig.open(t);
  const faults = [new FeedFault('limited', 'status 429', { retryAfterMs: 3_600_000 })];
  const first = sourceOf('first', { GGAL: fullWeek, YPFD: fullWeek }, { faults });
  const second = sourceOf('second', { GGAL: fullWeek });
  const { sources, missing } = await rig.fetch([first, second]);
  assert.deepEqual(rig.pauses, []);
  assert.equal(sources[0]?.stopped, 'status 429; it asks to wait 60 minutes');
  assert.equal(first.requests.length, 1);
  assert.equal(sources[1]?.added, 5);
  assert.deepEqual(missing, [{ ticker: ypf, gaps: undefined }]);
});

test('an instrument that a source does not serve does not affect the others, and five in a row end the source', async (t) => {
  const rig = await Rig.open(t);
  const { sources } = await rig.fetch([
    sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek }, { faults: [wrong()] }),
  ]);
  assert.deepEqual(sources[0]?.failed, [{ ticker: ggal, message: 'not JSON' }]);
  assert.equal((await rig.stored(ypf)).length, 5);
  assert.deepEqual(await rig.stored(ggal), []);
  const names = ['GGAL', 'RIESGO PAIS', 'GGAL', 'RIESGO PAIS', 'GGAL', 'RIESGO PAIS'] as Ticker[];
  const bad = sourceOf('bad', {}, { instruments: names, faults: names.map(wrong) });
  const { sources: after } = await rig.fetch([bad]);
  assert.equal(bad.requests.length, 5);
  assert.match(after[0]?.stopped ?? '', /^5 instruments in a row failed/);
});

test('the maximum of requests for one run is not exceeded', async (t) => {
  const rig = await Rig.open(t);
  const source = sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek });
  const { sources } = await rig.fetch([source], { requestsMax: 1 });
  assert.equal(source.requests.length, 1);
  assert.match(sources[0]?.stopped ?? '', /maximum of 1 requests/);
});

test('only the chosen instruments are requested, and what is missing is named', async (t) => {
  const rig = await Rig.open(t);
  const source = sourceOf('one', { GGAL: [fullWeek[0], fullWeek[4]].flatMap((one) => one ?? []) });
  const { missing, notOffered } = await rig.fetch([source], { tickers: new Set([ggal, ypf]) });
  assert.deepEqual(missing, [
    { ticker: ggal, gaps: { days: 3, last: toEpochDay('2026-11-19' as PlainDate) } },
  ]);
  assert.deepEqual(notOffered, [ypf]);
  const others = sourceOf('one', { GGAL: fullWeek });
  await rig.fetch([others], { tickers: new Set([ypf]) });
  assert.deepEqual(others.requests, []);
});

test('each code of a fault either ends the source, skips the instrument, or leads to another attempt', async (t) => {
  const codes: Readonly<Record<FeedFaultCode, 'stopped' | 'failed' | 'retried'>> = {
    refused: 'stopped',
    untrusted: 'stopped',
    'invalid-request': 'failed',
    unintelligible: 'failed',
    unavailable: 'retried',
    limited: 'retried',
  };
  for (const [code, expected] of Object.entries(codes)) {
    const rig = await Rig.open(t);
    const faults = [new FeedFault(code as FeedFaultCode, 'no')];
    const { sources } = await rig.fetch([sourceOf('one', { GGAL: fullWeek }, { faults })]);
    const [one] = sources;
    const outcome =
      one?.stopped === 'no' ? 'stopped' : one?.failed.length === 1 ? 'failed' : 'retried';
    assert.deepEqual([outcome, one?.requests], [expected, expected === 'retried' ? 2 : 1], code);
  }
});

test('only instruments that get a new close are counted, and a source that has only stored closes adds none', async (t) => {
  const rig = await Rig.open(t);
  await rig.put(ypf, [closeOf('2026-11-17', 7)]);
  const source = sourceOf('one', {
    GGAL: fullWeek,
    YPFD: [closeOf('2026-11-17', 7)],
    'RIESGO PAIS': [closeOf('2026-11-17', 700)],
  });
  const { sources } = await rig.fetch([source]);
  assert.deepEqual([sources[0]?.requests, sources[0]?.added, sources[0]?.instruments], [3, 6, 2]);
  assert.deepEqual(await rig.stored(ypf), ['2026-11-17 7']);
});

test('from a day after the last session nothing is requested, and nothing is missing', async (t) => {
  const rig = await Rig.open(t);
  const source = sourceOf('one', { GGAL: fullWeek });
  const { sources, missing } = await rig.fetch([source], { from: '2026-11-21' as PlainDate });
  assert.deepEqual([source.requests, missing, sources[0]?.requests], [[], [], 0]);
});

test('a fetch that is aborted during a response stores that response, and requests nothing more', async (t) => {
  const rig = await Rig.open(t);
  const aborter = new AbortController();
  const source = sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek });
  const fetch: HistorySource['fetch'] = (request, signal) => {
    aborter.abort();
    return source.fetch(request, signal);
  };
  const { wasAborted } = await rig.fetch([{ ...source, fetch }], {}, aborter);
  assert.equal(wasAborted, true);
  assert.deepEqual(source.requests, ['GGAL 2026-11-16 2026-11-20']);
  assert.equal((await rig.stored(ggal)).length, 5);
});

test('the progress of each request is reported: its place among the instruments, and the closes added so far', async (t) => {
  const rig = await Rig.open(t);
  await rig.fetch([sourceOf('one', { GGAL: fullWeek, YPFD: fullWeek })]);
  assert.deepEqual(rig.progress, [
    { source: 'one', ticker: ggal, done: 0, total: 2, added: 0 },
    { source: 'one', ticker: ypf, done: 1, total: 2, added: 5 },
  ]);
});

test('an aborted fetch asks no further source, and takes no fault for the reason of its end', async (t) => {
  const rig = await Rig.open(t);
  const aborter = new AbortController();
  const fetch = (): Promise<never> => {
    aborter.abort();
    return Promise.reject(new FeedFault('refused', 'closed'));
  };
  const first = sourceOf('first', { GGAL: fullWeek }, { fetch });
  const { sources } = await rig.fetch([first, sourceOf('second', {})], {}, aborter);
  assert.deepEqual(
    sources.map(({ source, requests, failed, stopped }) => [source, requests, failed, stopped]),
    [['first', 1, [], undefined]],
  );
});

test('an instrument that lacks only days before its first close lacks nothing', async (t) => {
  const rig = await Rig.open(t);
  const { missing } = await rig.fetch([sourceOf('one', { GGAL: fullWeek.slice(2) })]);
  assert.deepEqual(missing, []);
});

/** The week of a source whose prices differ by a little from those of the full week. */
const otherWeek = week.map((date, index) => closeOf(date, 100.5 + index));

/** As many faults of an unavailable source as end its run. */
const outage = (): FeedFault[] => [1, 2, 3].map(() => new FeedFault('unavailable', 'no answer'));

test('after an outage of a source, it replaces what a later source has filled, which is reported, and is asked no more', async (t) => {
  const rig = await Rig.open(t);
  const first = sourceOf('first', { GGAL: fullWeek }, { faults: outage() });
  const second = sourceOf('second', { GGAL: otherWeek });
  await rig.fetch([first, second]);
  assert.deepEqual(
    (await rig.closes(ggal)).map(({ source }) => source),
    week.map(() => 'second'),
  );
  first.requests.length = 0;
  const { sources } = await rig.fetch([first, second]);
  assert.deepEqual(first.requests, ['GGAL 2026-11-16 2026-11-20']);
  assert.deepEqual([sources[0]?.added, sources[0]?.replaced, sources[0]?.instruments], [0, 5, 1]);
  assert.deepEqual(sources[0]?.replacements[0], {
    ticker: ggal,
    day: toEpochDay('2026-11-16' as PlainDate),
    stored: 100.5,
    storedSource: 'second',
    offered: 100,
    offeredSource: 'first',
  });
  assert.deepEqual(
    await rig.closes(ggal),
    fullWeek.map((close) => ({ ...close, source: 'first' })),
  );
  assert.equal((await rig.fetch([first, second])).sources[0]?.requests, 0);
});

test('a source that agrees with a later source becomes the source of its closes, and is asked no more', async (t) => {
  const rig = await Rig.open(t);
  await rig.fetch([sourceOf('second', { GGAL: fullWeek })]);
  const first = sourceOf('first', { GGAL: fullWeek });
  rig.order = ['first', 'second'];
  const { sources } = await rig.fetch([first]);
  assert.deepEqual([sources[0]?.replaced, sources[0]?.takenOver], [0, 5]);
  assert.deepEqual(
    (await rig.closes(ggal)).map(({ source }) => source),
    week.map(() => 'first'),
  );
  await rig.fetch([first]);
  assert.equal(first.requests.length, 1);
});

test('days that a source lacks keep the closes of a later source, and are requested from it again as rarely as other days', async (t) => {
  const rig = await Rig.open(t);
  const from = '2026-11-02' as PlainDate;
  const dates = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'];
  const second = sourceOf('second', { GGAL: dates.map((date) => closeOf(date, 100)) });
  rig.order = ['first', 'second'];
  await rig.fetch([second], { from });
  const first = sourceOf('first', {
    GGAL: [closeOf('2026-11-02', 101), closeOf('2026-11-05', 102)],
  });
  await rig.fetch([first], { from });
  assert.deepEqual(await rig.stored(ggal), [
    '2026-11-02 101',
    '2026-11-03 100',
    '2026-11-04 100',
    '2026-11-05 102',
  ]);
  first.requests.length = 0;
  await rig.fetch([first], { from });
  assert.deepEqual(first.requests, ['GGAL 2026-11-16 2026-11-20'], 'the days that may still come');
});

test('with a close of a later source, the five sessions before it are requested, which show the basis of the source', async (t) => {
  const rig = await Rig.open(t);
  rig.order = ['first', 'second'];
  const from = '2026-11-04' as PlainDate;
  const days = ['04', '05', '09', '10', '11', '12', '13', '16', '17', '18', '19'];
  const dates = days.map((one) => `2026-11-${one}`);
  const own = dates.map((date) => ({ ...closeOf(date, 100), source: 'first' }));
  await rig.put(ggal, own);
  await rig.put(ggal, [
    { ...closeOf('2026-11-06', 100), source: 'first' },
    { ...closeOf('2026-11-20', 10_000), source: 'second' },
  ]);
  const first = sourceOf('first', { GGAL: [...own, closeOf('2026-11-20', 101)] });
  const { sources } = await rig.fetch([first], { from });
  assert.deepEqual(first.requests, ['GGAL 2026-11-13 2026-11-20']);
  assert.equal(sources[0]?.replaced, 1);
  assert.equal((await rig.stored(ggal)).at(-1), '2026-11-20 101');
});

test('instruments beyond the maximum of requests wait for their source, and no later source is asked for them', async (t) => {
  const rig = await Rig.open(t);
  const first = sourceOf('first', { GGAL: fullWeek, YPFD: fullWeek });
  const second = sourceOf('second', { GGAL: otherWeek, YPFD: otherWeek });
  const limited = { requestsMax: 1 };
  const { sources, continueAt } = await rig.fetch([first, second], limited);
  assert.match(sources[0]?.stopped ?? '', /maximum of 1 requests/);
  assert.deepEqual([second.requests, sources[1]?.waiting], [[], 1]);
  assert.deepEqual([...continueAt], [['first', { ticker: ypf, isRest: true }]]);
  const next = await rig.fetch([first, second], { ...limited, startAt: continueAt });
  assert.deepEqual(first.requests.slice(1), ['YPFD 2026-11-16 2026-11-20']);
  assert.deepEqual([second.requests, next.sources[0]?.stopped], [[], undefined]);
});

test('each instrument has one turn, although others may be requested again in every run', async (t) => {
  const rig = await Rig.open(t);
  // The source lacks the last day of the first instruments, so they are requested every time.
  const first = sourceOf('first', {
    GGAL: fullWeek.slice(0, 4),
    'RIESGO PAIS': fullWeek.slice(0, 4),
    YPFD: fullWeek,
  });
  let startAt: HistoryFetchSummary['continueAt'] = new Map();
  for (let run = 0; run < 4; run += 1) {
    ({ continueAt: startAt } = await rig.fetch([first], { requestsMax: 1, startAt }));
  }
  assert.deepEqual(
    first.requests.map((one) => one.split(' 2026')[0]),
    // The last run is a new pass: nothing was left to continue with.
    [ggal, risk, ypf, ggal],
  );
});

test('a source that failed continues after the instrument at which it did', async (t) => {
  const rig = await Rig.open(t);
  const first = sourceOf('first', { GGAL: fullWeek, YPFD: fullWeek }, { faults: outage() });
  const { continueAt } = await rig.fetch([first]);
  assert.deepEqual([...continueAt], [['first', { ticker: ypf, isRest: false }]]);
  first.requests.length = 0;
  await rig.fetch([first], { startAt: continueAt });
  assert.deepEqual(
    first.requests.map((one) => one.slice(0, 4)),
    [ypf, ggal],
  );
});

/** The week with another close on one of its days. */
function weekWith(index: number, change: Partial<DailyClose>): readonly DailyClose[] {
  return fullWeek.map((close, at) => (at === index ? { ...close, ...change } : close));
}

test('a close outside its own low and high is not stored, is listed with its values, and is stored once the source has corrected it', async (t) => {
  const rig = await Rig.open(t);
  const slip = { open: 5_708.22, high: 5_765.3, low: 5_651.14, close: 541_000, volume: 1_000 };
  const own = fullWeek.map((close) => ({ ...close, close: close.close * 55 }));
  const sent = [...own.slice(0, 4), { ...closeOf('2026-11-20', 0), ...slip }];
  const { sources, missing } = await rig.fetch([sourceOf('one', { GGAL: sent })]);
  assert.deepEqual([sources[0]?.added, sources[0]?.rejected], [4, 1]);
  assert.deepEqual(sources[0]?.doubtfulRows, [
    {
      ticker: ggal,
      date: '2026-11-20',
      sample: JSON.stringify(slip),
      reason: 'out-of-range',
    },
  ]);
  assert.equal(missing[0]?.gaps?.days, 1);
  const { sources: again } = await rig.fetch([sourceOf('one', { GGAL: own })]);
  assert.equal(again[0]?.added, 1);
});

test('the stored closes are neighbours of those that a source offers', async (t) => {
  const rig = await Rig.open(t);
  await rig.put(
    ggal,
    fullWeek.slice(0, 4).map((close) => ({ ...close, source: 'session' })),
  );
  const { sources } = await rig.fetch([sourceOf('one', { GGAL: [closeOf('2026-11-20', 10_400)] })]);
  assert.deepEqual([...(sources[0]?.rejectedByReason ?? [])], [['decimal-slip', 1]]);
});

test('a wrong close of a preferred source replaces none of a later source', async (t) => {
  const rig = await Rig.open(t);
  await rig.fetch([sourceOf('second', { GGAL: otherWeek })]);
  rig.order = ['first', 'second'];
  const first = sourceOf('first', { GGAL: weekWith(2, { close: 10_200 }) });
  const { sources } = await rig.fetch([first]);
  assert.deepEqual([sources[0]?.replaced, sources[0]?.rejected], [4, 1]);
  assert.equal((await rig.stored(ggal))[2], '2026-11-18 102.5');
});

test('a move that lasts is stored and listed, such as that of a split that is not recorded', async (t) => {
  const rig = await Rig.open(t);
  const split = fullWeek.map((close, at) =>
    at < 2 ? close : { ...close, close: close.close / 10 },
  );
  const { sources } = await rig.fetch([sourceOf('one', { GGAL: split })]);
  assert.equal(sources[0]?.added, 5);
  assert.deepEqual(
    sources[0].moves.map(({ ticker, day, close, name }) => [
      ticker,
      fromEpochDay(day),
      close,
      name,
    ]),
    [[ggal, '2026-11-18', 10.2, 'unrecorded-split']],
  );
});

test('a split that a source sends with its closes explains their move', async (t) => {
  const rig = await Rig.open(t);
  const closes = [...fullWeek.slice(0, 4), closeOf('2026-11-20', 10.4)];
  const source = sourceOf('one', { GGAL: closes });
  const fetch: HistorySource['fetch'] = async () => ({
    closes,
    rejected: [],
    actions: [splitOf('2026-11-20', 10)],
  });
  const { sources } = await rig.fetch([{ ...source, fetch }]);
  assert.deepEqual([sources[0]?.added, sources[0]?.actions, sources[0]?.moves], [5, 1, []]);
});

test('a close too far from the one before is stored when a second source agrees', async (t) => {
  const rig = await Rig.open(t);
  await rig.put(ggal, fullWeek.slice(0, 4));
  const sources = ['first', 'second'].map((name, at) =>
    sourceOf(name, { GGAL: [closeOf('2026-11-20', 500 + at)] }),
  );
  const { sources: results } = await rig.fetch(sources);
  assert.deepEqual(
    results.map(({ added, rejected }) => [added, rejected]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  await rig.fetch(sources);
  assert.equal(
    (await rig.stored(ggal)).at(-1),
    '2026-11-20 500',
    'the preferred source replaces it',
  );
});

test('a doubtful close is requested again in its first week, and then as rarely as a day that the source lacks', async (t) => {
  const rig = await Rig.open(t);
  const from = '2026-11-10' as PlainDate;
  const dates = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', ...week];
  const closes = dates.map((date, at) => closeOf(date, at === 2 ? 10_000 : 100));
  const source = sourceOf('one', { GGAL: closes });
  await rig.fetch([source], { from });
  await rig.fetch([source], { from });
  assert.equal(source.requests.length, 1, 'the day is more than a week old');
  const young = await Rig.open(t);
  const other = sourceOf('one', { GGAL: weekWith(3, { close: 10_300 }) });
  await young.fetch([other]);
  await young.fetch([other]);
  assert.deepEqual(other.requests.slice(1), ['GGAL 2026-11-19 2026-11-19']);
});

test('every rejected row is listed with its instrument, its day, its values and the reason', async (t) => {
  const rig = await Rig.open(t);
  const closes = [closeOf('2026-11-16', 1), closeOf('2026-11-22', 2), closeOf('2026-11-24', 3)];
  const rejected = [
    {
      reason: 'no-price' as const,
      sample: '{"close":null}',
      date: '2026-11-17' as PlainDate,
    },
    { reason: 'unintelligible' as const, sample: '/chart/0' },
  ];
  const fetch: HistorySource['fetch'] = async () => ({ closes, rejected });
  rig.now = Date.UTC(2026, 10, 24, 21);
  const { sources } = await rig.fetch([{ ...sourceOf('one', { GGAL: [] }), fetch }]);
  assert.deepEqual(sources[0]?.otherRows, [
    { ticker: ggal, date: '2026-11-17', sample: '{"close":null}', reason: 'no-price' },
    { ticker: ggal, sample: '/chart/0', reason: 'unintelligible' },
    {
      ticker: ggal,
      date: '2026-11-22',
      sample: '{"close":2,"volume":null}',
      reason: 'no-session',
    },
  ]);
});

test('another Pizarra is not judged, is read again for its corrections, and is under no maximum of requests', async (t) => {
  const rig = await Rig.open(t);
  const closes = week.map((date, index) => closeOf(date, index === 2 ? 10_000 : 100));
  const office = sourceOf(
    'office',
    { [ggal]: [], [ypf]: [] },
    {
      isCopy: true,
      fetch: async ({ ticker, from, to }) => {
        const [first, last] = [toEpochDay(from), toEpochDay(to)];
        const own = ticker === ggal ? closes : [];
        return { closes: own.filter(({ day }) => day >= first && day <= last), rejected: [] };
      },
    },
  );
  const first = await rig.fetch([office], { requestsMax: 0 });
  assert.deepEqual(
    [first.sources[0]?.added, first.sources[0]?.rejected, first.sources[0]?.requests],
    [5, 0, 2],
  );
  closes[3] = closeOf(week[3] ?? '', 25);
  const second = await rig.fetch([office]);
  assert.deepEqual([second.sources[0]?.corrected, second.sources[0]?.added], [1, 0]);
  assert.equal((await rig.closes(ggal))[3]?.close, 25);

  // After a month, only the days that the operator names.
  rig.now += 40 * 86_400_000;
  closes[3] = closeOf(week[3] ?? '', 30);
  const later = await rig.fetch([office], { tickers: new Set([ggal]) });
  assert.equal(later.sources[0]?.corrected, 0);
  const correctedFrom = week[3] as PlainDate;
  const named = await rig.fetch([office], { tickers: new Set([ggal]), correctedFrom });
  assert.equal(named.sources[0]?.corrected, 1);
});
