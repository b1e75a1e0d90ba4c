import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { openTestStore } from '../../../test/support/program/test-store.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { IndexSource } from '../../feeds/contract/history-source.ts';
import type { Store } from '../../store/contract/store.ts';
import { fetchIndices, type IndexFetchRequest } from './fetch-indices.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';

const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
const calendar = new SessionCalendar(byma);
const today = '2026-11-20' as PlainDate;
const now = Date.parse(`${today}T15:00:00Z`);

/** Values that rise by 0.1 % a day, of a range of days. */
function values(from: string, to: string, factor = 1): DayValue[] {
  const [first, last] = [toEpochDay(from as PlainDate), toEpochDay(to as PlainDate)];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const day = (first + at) as EpochDay;
    return { day, value: 700 * 1.001 ** (day - toEpochDay(today)) * factor };
  });
}

/** A source that gives these values, or throws these faults in order first. */
class TestSource implements IndexSource {
  readonly name: string;
  readonly indices: readonly IndexName[];
  readonly spacingMs = 0;
  readonly isCopy: boolean;
  readonly asked: string[] = [];
  readonly #values: readonly DayValue[];
  readonly #faults: Error[];

  constructor(
    sent: readonly DayValue[],
    options: {
      name?: string;
      indices?: readonly IndexName[];
      faults?: readonly Error[];
      isCopy?: boolean;
    } = {},
  ) {
    this.name = options.name ?? 'bcra';
    this.indices = options.indices ?? ['CER'];
    this.isCopy = options.isCopy ?? false;
    this.#values = sent;
    this.#faults = [...(options.faults ?? [])];
  }

  async fetch({ index, from, to }: Parameters<IndexSource['fetch']>[0]) {
    this.asked.push(`${index} ${from} ${to ?? '-'}`);
    const fault = this.#faults.shift();
    if (fault !== undefined) throw fault;
    return { values: this.#values, rejected: [] };
  }
}

async function storeWith(t: TestContext, stored: readonly DayValue[]): Promise<Store> {
  const store = await openTestStore(await temporaryDirectory(t));
  t.after(() => store[Symbol.asyncDispose]());
  const put = stored.map((value) => ({ index: 'CER', ...value, source: 'import:a.csv' }) as const);
  await store.indices.apply({ put }, changeAt(1));
  return store;
}

/** Runs a fetch, with a clock that pauses do not advance. Returns the result, the pauses and the stored days. */
async function run(
  store: Store,
  sources: readonly IndexSource[],
  request: IndexFetchRequest = { from: 'missing' },
  aborter = new AbortController(),
) {
  const pauses: number[] = [];
  const summary = await fetchIndices(request, {
    sources,
    store: store.indices,
    calendar,
    clock: { now: () => now, monotonic: () => 0 },
    random: () => 0,
    pause: async (ms) => void pauses.push(ms),
    signal: aborter.signal,
  });
  const { values: stored } = await store.indices.readAll();
  return { ...summary, pauses, stored };
}

test('the first run asks for the whole series, and a later one for the last month and what is missing before', async (t) => {
  const store = await storeWith(t, []);
  const whole = new TestSource(values('2025-01-01', '2026-12-15'));
  const { indices, stored } = await run(store, [whole]);
  assert.deepEqual(whole.asked, ['CER 1943-01-01 -']);
  assert.deepEqual([indices[0]?.added, indices[0]?.missing, stored.length], [714, 0, 714]);

  const month = new TestSource([]);
  await run(store, [month]);
  assert.deepEqual(month.asked, [`CER ${addDays(today, -31)} -`]);

  const gaps = await storeWith(
    t,
    values('2024-01-01', '2026-11-20').filter(({ day }) =>
      ['2024-06-01', '2026-03-05', '2026-08-01'].every((date) => date !== fromEpochDay(day)),
    ),
  );
  const filling = new TestSource(values('2026-03-05', '2026-12-15'));
  const { indices: filled } = await run(gaps, [filling]);
  assert.deepEqual(filling.asked, ['CER 2026-03-05 -'], 'a gap of 2024 was asked for before');
  assert.deepEqual([filled[0]?.added, filled[0]?.missing], [27, 1]);
});

test('a range is asked for as it is, and values outside it are not stored', async (t) => {
  const store = await storeWith(t, []);
  const source = new TestSource(values('2026-10-01', '2026-12-15'));
  const range = { from: '2026-11-01' as PlainDate, to: '2026-11-05' as PlainDate };
  const { stored } = await run(store, [source], range);
  assert.deepEqual(source.asked, ['CER 2026-11-01 2026-11-05']);
  assert.equal(stored.length, 5);
});

test('a value that the source has corrected is replaced and kept, and the same value changes nothing', async (t) => {
  const store = await storeWith(t, values('2026-10-01', '2026-11-20'));
  const revision = await store.indices.revision();
  const same = await run(store, [new TestSource(values('2026-10-20', '2026-11-20'))]);
  assert.deepEqual([same.indices[0]?.added, same.indices[0]?.replaced], [0, []]);
  assert.equal(await store.indices.revision(), revision);
  const [was] = values('2026-11-10', '2026-11-10');
  const corrected = { day: was?.day as EpochDay, value: (was?.value ?? 0) * 1.0001 };
  const { indices } = await run(store, [new TestSource([corrected])]);
  const kept = {
    value: { index: 'CER', ...was, source: 'import:a.csv' },
    stored: changeAt(1),
    replaced: { at: now, origin: 'fetch' },
  };
  assert.deepEqual(indices[0]?.replaced, [kept]);
  assert.deepEqual(await store.indices.readReplaced(), [kept]);
});

test('a value that contradicts the stored ones is not stored, unless that was asked for', async (t) => {
  const store = await storeWith(t, values('2026-10-01', '2026-11-20'));
  const sent = [...values('2026-11-21', '2026-11-22'), ...values('2026-11-23', '2026-11-23', 100)];
  const { indices, stored } = await run(store, [new TestSource(sent)]);
  const doubtful = indices[0]?.doubtful.map(({ day }) => fromEpochDay(day));
  assert.deepEqual([indices[0]?.added, doubtful], [2, ['2026-11-23']]);
  assert.equal(fromEpochDay(stored.at(-1)?.day as EpochDay), '2026-11-22');
  const accepted = await run(store, [new TestSource(sent)], {
    from: 'missing',
    acceptsDoubtful: true,
  });
  assert.equal(accepted.indices[0]?.added, 1);
});

test('an unavailable source is asked three times, and then left: the other indices fail without a request', async (t) => {
  const store = await storeWith(t, values('2026-10-01', '2026-11-20'));
  const down = new FeedFault('unavailable', 'status 503');
  const source = new TestSource([], { indices: ['CER', 'UVA'], faults: [down, down, down] });
  const { indices, pauses, stored } = await run(store, [source]);
  assert.equal(source.asked.length, 3);
  assert.equal(pauses.length, 2);
  assert.deepEqual(
    indices.map(({ index, failed }) => [index, failed]),
    [
      ['CER', 'bcra: status 503'],
      ['UVA', 'bcra: status 503'],
    ],
  );
  assert.equal(stored.length, 51);
});

test('a limit is waited for as the source asks, and a response that is no series concerns its index alone', async (t) => {
  const store = await storeWith(t, []);
  const faults = [
    new FeedFault('limited', 'status 429', { retryAfterMs: 120_000 }),
    new FeedFault('unintelligible', 'no series'),
  ];
  const source = new TestSource(values('2026-11-01', '2026-11-20'), {
    indices: ['CER', 'UVA'],
    faults,
  });
  const { indices, pauses } = await run(store, [source]);
  assert.deepEqual(pauses, [120_000]);
  assert.deepEqual(
    indices.map(({ index, failed, added }) => [index, failed, added]),
    [
      ['CER', 'bcra: no series', 0],
      ['UVA', undefined, 20],
    ],
  );
});

test('if a source fails, the next one of the configuration is asked', async (t) => {
  const store = await storeWith(t, []);
  const first = new TestSource([], { faults: [new FeedFault('refused', 'status 403')] });
  const second = new TestSource(values('2026-11-01', '2026-11-20'), { name: 'mirror' });
  const { indices, stored } = await run(store, [first, second]);
  assert.deepEqual([indices[0]?.source, indices[0]?.failed], ['mirror', undefined]);
  assert.equal(stored[0]?.source, 'mirror');
});

test('an aborted run keeps the indices that are complete, and only the named ones are asked for', async (t) => {
  const store = await storeWith(t, []);
  const aborter = new AbortController();
  const source = new TestSource(values('2026-11-01', '2026-11-20'), { indices: ['CER', 'UVA'] });
  const stopping: IndexSource = {
    name: source.name,
    indices: source.indices,
    spacingMs: source.spacingMs,
    fetch: async (request) => {
      if (request.index === 'UVA') aborter.abort();
      aborter.signal.throwIfAborted();
      return source.fetch(request);
    },
  };
  const { indices, wasAborted, stored } = await run(store, [stopping], undefined, aborter);
  assert.deepEqual([indices.length, wasAborted, stored.length], [1, true, 20]);
  const named = new TestSource([], { indices: ['CER', 'UVA'] });
  await run(store, [named], { from: 'all', indices: new Set<IndexName>(['UVA']) });
  assert.deepEqual(named.asked, ['UVA 1943-01-01 -']);
});

test('the values of another Pizarra are stored although they contradict the stored ones', async (t) => {
  const store = await storeWith(t, values('2026-10-01', '2026-11-20'));
  const sent = values('2026-10-01', '2026-11-20', 5);
  for (const [isCopy, doubtful, replaced] of [
    [false, true, false],
    [true, false, true],
  ] as const) {
    const source = new TestSource(sent, { isCopy });
    const [fetched] = (await run(store, [source])).indices;
    assert.deepEqual(
      [(fetched?.doubtful.length ?? 0) > 0, (fetched?.replaced.length ?? 0) > 0],
      [doubtful, replaced],
      String(isCopy),
    );
  }
});
