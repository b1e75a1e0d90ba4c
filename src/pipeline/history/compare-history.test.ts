import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { fromEpochDay, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import {
  compareHistory,
  type HistoryCompareProgress,
  type HistoryCompareRequest,
} from './compare-history.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';

const ggal = 'GGAL' as Ticker;
const ypf = 'YPFD' as Ticker;
const universe = makeUniverse([{ ticker: ggal }, { ticker: ypf }]);

/** Friday 20 November 2026, 18:00 in Buenos Aires: the session of the day ended an hour ago. */
const evening = Date.UTC(2026, 10, 20, 21);

function closeOf(date: string, close: number, source?: string): DailyClose {
  const day = toEpochDay(date as PlainDate);
  return { day, close, volume: null, ...(source !== undefined && { source }) };
}

/** A source with these closes that records its requests. The faults are thrown first, in order. */
function sourceOf(
  name: string,
  series: Readonly<Record<string, readonly DailyClose[]>>,
  faults: (FeedFault | undefined)[] = [],
): HistorySource & { readonly requests: string[] } {
  const requests: string[] = [];
  return {
    name,
    instruments: Object.keys(series) as Ticker[],
    spacingMs: 0,
    requests,
    fetch: async ({ ticker, from, to }) => {
      requests.push(`${ticker} ${from} ${to}`);
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      const rejected = [{ reason: 'no-price' as const, sample: 'x' }];
      return { closes: series[ticker] ?? [], rejected };
    },
  };
}

/** Compares stored closes, which nothing may write, with sources. */
async function compare(
  stored: Readonly<Record<string, readonly DailyClose[]>>,
  sources: readonly HistorySource[],
  request: Partial<HistoryCompareRequest> = {},
  aborter: AbortController = new AbortController(),
) {
  const differences: (readonly CloseConflict[])[] = [];
  const progress: HistoryCompareProgress[] = [];
  const pauses: number[] = [];
  const summary = await compareHistory(
    { from: '2026-11-16' as PlainDate, ...request },
    {
      sources,
      order: new SourceOrder(sources.map(({ name }) => name)),
      actions: { readAll: async () => ({ revision: 0, values: [] }) },
      history: {
        readCloses: async (ticker, { from, to }) =>
          (stored[ticker] ?? []).filter(({ day }) => day >= from && day <= to),
      },
      universe,
      clock: { now: () => evening, monotonic: () => 0 },
      random: () => 0,
      pause: async (ms) => void pauses.push(ms),
      signal: aborter.signal,
      onProgress: (one) => void progress.push(one),
      onDifferences: (some) => void differences.push(some),
    },
  );
  return { ...summary, differences, progress, pauses };
}

test('a comparison lists each close that differs, with both sources, and ignores noise', async () => {
  const stored = [
    closeOf('2026-11-16', 100, 'one'),
    closeOf('2026-11-17', 93.89, 'import:x.csv'),
    closeOf('2026-11-18', 102),
    closeOf('2026-11-20', 104, 'session:one'),
  ];
  const offered = [
    closeOf('2026-11-16', 101),
    closeOf('2026-11-17', 93.889999),
    closeOf('2026-11-18', 103),
    closeOf('2026-11-19', 103),
  ];
  const { sources, differences, notStored, notOffered, wasAborted } = await compare(
    { GGAL: stored },
    [sourceOf('one', { GGAL: offered })],
  );
  assert.deepEqual(differences, [
    [
      {
        ticker: ggal,
        day: toEpochDay('2026-11-16' as PlainDate),
        stored: 100,
        storedSource: 'one',
        offered: 101,
        offeredSource: 'one',
      },
      {
        ticker: ggal,
        day: toEpochDay('2026-11-18' as PlainDate),
        stored: 102,
        offered: 103,
        offeredSource: 'one',
      },
    ],
  ]);
  assert.deepEqual(sources, [
    {
      source: 'one',
      requests: 1,
      instruments: 1,
      compared: 3,
      different: 2,
      replaceable: 0,
      lacking: 1,
      unstored: 1,
      rejected: 1,
      failed: [],
    },
  ]);
  assert.deepEqual([notStored, notOffered, wasAborted], [[], [], false]);
});

test('only the range of the stored closes is requested, and closes outside of it are not compared', async () => {
  const stored = ['2026-11-12', '2026-11-17', '2026-11-19', '2026-11-20'].map((date) =>
    closeOf(date, 1),
  );
  const days = ['2026-11-13', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  const source = sourceOf('one', { GGAL: days.map((date) => closeOf(date, 2)) });
  const { sources } = await compare({ GGAL: stored }, [source], { to: '2026-11-19' as PlainDate });
  assert.deepEqual(source.requests, ['GGAL 2026-11-17 2026-11-19']);
  assert.deepEqual(
    [sources[0]?.compared, sources[0]?.different, sources[0]?.unstored, sources[0]?.rejected],
    [2, 2, 1, 1],
  );
  const whole = sourceOf('one', { GGAL: [] });
  await compare({ GGAL: stored }, [whole], { from: '2026-11-02' as PlainDate });
  assert.deepEqual(whole.requests, ['GGAL 2026-11-12 2026-11-20']);
});

test('a close of a day without a session is rejected, and a day of a session under way is not requested', async () => {
  const stored = [closeOf('2026-11-13', 1), closeOf('2026-11-18', 1), closeOf('2026-11-23', 1)];
  const source = sourceOf('one', {
    GGAL: [closeOf('2026-11-15', 9), closeOf('2026-11-18', 1), closeOf('2026-11-19', 1)],
  });
  const request = { from: '2026-11-02' as PlainDate };
  const { sources } = await compare({ GGAL: stored }, [source], request);
  assert.deepEqual(source.requests, ['GGAL 2026-11-13 2026-11-18']);
  assert.deepEqual(
    [sources[0]?.rejected, sources[0]?.lacking, sources[0]?.different, sources[0]?.unstored],
    [2, 1, 0, 0],
  );
});

test('a stored close of a day without a session is compared with none', async () => {
  const sunday = '2026-11-15';
  const source = sourceOf('one', { GGAL: [closeOf(sunday, 9), closeOf('2026-11-16', 9)] });
  const request = { from: '2026-11-02' as PlainDate };
  const { sources, differences } = await compare({ GGAL: [closeOf(sunday, 1)] }, [source], request);
  assert.deepEqual(source.requests, [`GGAL ${sunday} ${sunday}`]);
  const [{ compared, lacking, unstored, rejected } = assert.fail()] = sources;
  assert.deepEqual([compared, lacking, unstored, rejected], [0, 1, 0, 1]);
  assert.deepEqual(differences, []);
});

test('an instrument without stored closes is named and not requested, and one that no source has is named', async () => {
  const source = sourceOf('one', { GGAL: [] });
  const request = { tickers: new Set([ggal, ypf]) };
  const { notStored, notOffered, sources } = await compare({}, [source], request);
  assert.deepEqual([notStored, notOffered, source.requests], [[ggal], [ypf], []]);
  assert.equal(sources[0]?.instruments, 0);
  const reversed = { to: '2026-11-15' as PlainDate };
  assert.deepEqual(
    (await compare({ GGAL: [closeOf('2026-11-17', 1)] }, [source], reversed)).notStored,
    [ggal],
  );
});

test('only the chosen instruments are compared, and a source without any of their days counts none', async () => {
  const stored = { GGAL: [closeOf('2026-11-17', 1)], YPFD: [closeOf('2026-11-17', 1)] };
  const source = sourceOf('one', { GGAL: [], YPFD: [closeOf('2026-11-17', 2)] });
  const { sources, differences } = await compare(stored, [source], { tickers: new Set([ggal]) });
  assert.deepEqual(source.requests, ['GGAL 2026-11-17 2026-11-17']);
  assert.deepEqual([sources[0]?.instruments, sources[0]?.compared, sources[0]?.lacking], [0, 0, 1]);
  assert.deepEqual(differences, []);
});

test('every source is compared, within its limits: a fault is retried, and one that refuses is left', async () => {
  const series = { GGAL: [closeOf('2026-11-17', 2)], YPFD: [closeOf('2026-11-17', 2)] };
  const first = sourceOf('first', series, [
    new FeedFault('limited', 'status 429', { retryAfterMs: 90_000 }),
  ]);
  const second = sourceOf('second', series, [new FeedFault('refused', 'status 401')]);
  const third = sourceOf('third', series, [new FeedFault('unintelligible', 'not JSON')]);
  const stored = { GGAL: [closeOf('2026-11-17', 1)], YPFD: [closeOf('2026-11-17', 1)] };
  const { sources, pauses, progress, differences } = await compare(stored, [first, second, third]);
  assert.deepEqual(pauses, [90_000]);
  assert.deepEqual(
    sources.map(({ requests, compared, stopped, failed }) => [requests, compared, stopped, failed]),
    [
      [3, 2, undefined, []],
      [1, 0, 'status 401', []],
      [2, 1, undefined, [{ ticker: ggal, message: 'not JSON' }]],
    ],
  );
  assert.deepEqual(
    progress.map(({ source, ticker, done, total, waiting }) => [
      `${source} ${ticker} ${done}/${total}`,
      waiting,
    ]),
    [
      ['first GGAL 0/2', undefined],
      ['first GGAL 0/2', { ms: 90_000, cause: 'status 429' }],
      ['first GGAL 0/2', undefined],
      ['first YPFD 1/2', undefined],
      ['second GGAL 0/2', undefined],
      ['third GGAL 0/2', undefined],
      ['third YPFD 1/2', undefined],
    ],
  );
  assert.deepEqual(
    progress.filter((one) => 'waiting' in one).map(({ source }) => source),
    ['first'],
  );
  assert.equal(differences.length, 3);
  assert.deepEqual(
    sources.map(({ instruments }) => instruments),
    [2, 0, 1],
  );
});

test('an aborted comparison ends before the next instrument, with the result so far', async () => {
  const aborter = new AbortController();
  const stored = { GGAL: [closeOf('2026-11-17', 1)], YPFD: [closeOf('2026-11-17', 1)] };
  const first = sourceOf('first', { GGAL: [closeOf('2026-11-17', 2)], YPFD: [] });
  const fetch: HistorySource['fetch'] = async (request, signal) => {
    const batch = await first.fetch(request, signal);
    aborter.abort();
    return batch;
  };
  const second = sourceOf('second', { GGAL: [] });
  const result = await compare(stored, [{ ...first, fetch }, second], {}, aborter);
  assert.equal(result.wasAborted, true);
  assert.deepEqual(first.requests, ['GGAL 2026-11-17 2026-11-17']);
  assert.deepEqual(second.requests, []);
  assert.deepEqual(
    result.sources.map(({ source, different }) => [source, different]),
    [['first', 1]],
  );
  assert.deepEqual(
    result.differences.flat().map(({ day }) => fromEpochDay(day)),
    ['2026-11-17'],
  );
});

test('a fault that is no fault of a source ends the comparison', async () => {
  const source = sourceOf('one', { GGAL: [] });
  const broken: HistorySource = { ...source, fetch: () => Promise.reject(new Error('defect')) };
  await assert.rejects(compare({ GGAL: [closeOf('2026-11-17', 1)] }, [broken]), /defect/);
});

test('a comparison counts the differences that a fetch replaces: those of later sources', async () => {
  const stored = [
    closeOf('2026-11-16', 100, 'two'),
    closeOf('2026-11-17', 100, 'session:two'),
    closeOf('2026-11-18', 100, 'two'),
  ];
  const offered = ['2026-11-16', '2026-11-17', '2026-11-18'].map((date) => closeOf(date, 101));
  const { sources } = await compare({ GGAL: stored }, [
    sourceOf('one', { GGAL: offered }),
    sourceOf('two', { GGAL: offered }),
  ]);
  assert.deepEqual(
    sources.map(({ different, replaceable }) => [different, replaceable]),
    [
      [3, 2],
      [3, 0],
    ],
  );
});
