import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Board } from '../../src/board/board.ts';
import {
  addDays,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import { SourceOrder } from '../../src/domain/history/source-order.ts';
import { IndexSeries } from '../../src/domain/indices/index-series.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { FeedDeps } from '../../src/feeds/contract/feed-type.ts';
import { Secrets } from '../../src/feeds/contract/secrets.ts';
import { pizarraType } from '../../src/feeds/pizarra/index.ts';
import {
  fetchHistory,
  type HistoryFetchRequest,
  type HistoryFetchSummary,
} from '../../src/pipeline/history/fetch-history.ts';
import { LackingDays } from '../../src/pipeline/history/lacking-days.ts';
import { fetchIndices, type IndexFetchSummary } from '../../src/pipeline/indices/fetch-indices.ts';
import { ContinuedHistory } from '../../src/store/continued/continued-history.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { al30, day, makeTerms } from '../support/market/bond-samples.ts';
import { testChange, testStamp } from '../support/market/test-change.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { quoteOn } from '../support/market/quote-on.ts';
import { startTestServer, testNow, type TestServer } from '../support/http/start-test-server.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { openTestStore } from '../support/program/test-store.ts';

const universe = makeUniverse(
  [
    { ticker: 'GGAL', panels: ['LID', 'LIDGEN'] },
    { ticker: 'WRONG' },
    { ticker: 'AL30', kind: 'bond', panels: ['BONOS', 'BON'] },
    {
      ticker: 'AL30D',
      kind: 'bond',
      currency: 'USD',
      dollarClass: ['AL30', 'mep'],
      panels: ['BONOS', 'BON'],
    },
    { ticker: 'TX28', kind: 'bond', panels: ['BONOS', 'BON'] },
    { ticker: 'MEP-CCL', kind: 'spread', decimals: 2 },
    { ticker: 'OLD' },
    { ticker: 'NEW' },
    { ticker: 'SPY_US', kind: 'etf', market: 'NYSE' },
    { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
    { ticker: 'EMPTY' },
  ],
  [
    { ...al30, series: ['AL30D' as Ticker] },
    makeTerms({
      ticker: 'TX28' as Ticker,
      currency: 'ARS',
      indexation: { index: 'CER', lagDays: 10, base: 480.1526 },
    }),
  ],
);

const on = (date: string) => toEpochDay(date as PlainDate);

const holidays = new Set(['2026-01-01', '2026-10-12']);

/** Closes on business days, with what real series have: gaps, a split, equal days, a wrong price, no range. */
function series(from: string, to: string, priceOn: (index: number) => number): DailyClose[] {
  const closes: DailyClose[] = [];
  for (let date = from; date <= to; date = addDays(date as PlainDate, 1)) {
    const index = closes.length;
    if (isoWeekday(on(date)) > 5 || holidays.has(date)) continue;
    const close = priceOn(index);
    const times = (factor: number): number => Math.round(close * factor * 1e4) / 1e4;
    closes.push({
      day: on(date),
      close,
      volume: index % 7 === 0 ? null : index * 1_000.5,
      ...(index % 5 !== 0 && { open: times(0.99), high: times(1.02), low: times(0.98) }),
      source: 'import:closes.csv',
    });
  }
  return closes;
}

const split = on('2026-09-01');
const closes: Readonly<Record<string, readonly DailyClose[]>> = {
  GGAL: series('2025-11-03', '2026-11-19', (index) => 8_000.125 + index).map((one) =>
    one.day < split
      ? one
      : { ...one, close: Math.round(one.close) / 10, high: 2_000, low: 1, open: 900 },
  ),
  // What a judge would not believe: the origin's operator has imported it.
  WRONG: series('2026-09-01', '2026-11-19', (index) => (index === 20 ? 15_000 : 150)),
  AL30: series('2026-10-01', '2026-11-19', (index) => 91_250.5 + index / 8),
  AL30D: series('2026-10-01', '2026-11-19', (index) => 61.125 + index / 8),
  TX28: series('2026-10-01', '2026-11-19', () => 118.25),
  'MEP-CCL': series('2026-10-01', '2026-11-19', (index) => -2.5 + index / 8).map((one) => ({
    day: one.day,
    close: one.close,
    volume: null,
  })),
  OLD: series('2026-06-01', '2026-08-14', (index) => 50 + index),
  NEW: series('2026-08-18', '2026-11-19', (index) => 120 + index),
  SPY_US: series('2026-11-02', '2026-11-19', (index) => 600 + index),
  BTC: series('2026-11-02', '2026-11-19', (index) => 95_000.123_456_78 + index),
};

const actions: readonly CorporateAction[] = [
  { ticker: 'GGAL' as Ticker, exDay: split, type: 'split', factor: 10, source: 'import:a.csv' },
  // Two of one kind within five days, which sources would call one event.
  {
    ticker: 'GGAL' as Ticker,
    exDay: (split + 2) as EpochDay,
    type: 'stock-dividend',
    factor: 1.09,
    source: 'x',
  },
  {
    ticker: 'GGAL' as Ticker,
    exDay: on('2026-10-05'),
    type: 'cash-dividend',
    amount: 12.5,
    currency: 'ARS',
    source: 'x',
  },
  {
    ticker: 'GGAL' as Ticker,
    exDay: on('2026-10-06'),
    type: 'cash-dividend',
    amount: 1,
    currency: 'USD',
    source: 'x',
  },
  { ticker: 'GGAL' as Ticker, exDay: on('2027-03-01'), type: 'split', factor: 2, source: 'x' },
  {
    ticker: 'OLD' as Ticker,
    exDay: on('2026-08-18'),
    type: 'ticker-change',
    newTicker: 'NEW' as Ticker,
    source: 'x',
  },
  { ticker: 'OLD' as Ticker, exDay: on('2026-07-01'), type: 'split', factor: 2, source: 'x' },
];

const clock = clockAt(() => testNow);
const never = new AbortController().signal;
const scratch = await temporaryDirectory();
after(() => scratch[Symbol.asyncDispose]());

/** A server over a store, with what the store has when it starts. */
async function serverOver(fill: (store: Store) => Promise<void>): Promise<TestServer> {
  const board = new Board(universe);
  board.adopt(
    [
      ['AL30', 91_300],
      ['AL30D', 61.5],
      ['TX28', 120.5],
    ].map(([ticker, last], version) =>
      makeQuote(
        universe.get(ticker as Ticker),
        quoteOn(String(ticker), Number(last), { date: '2026-11-20', version: version + 1 }),
      ),
    ),
  );
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await temporaryDirectory());
  const store = cleanUp.use(await openTestStore(directory.path));
  await fill(store);
  const corporate = new CorporateActions((await store.actions.readAll()).values);
  const { revision, values } = await store.indices.readAll();
  const indices = new IndexSeries(revision, values);
  const { bars } = store;
  const history = new ContinuedHistory(store.history, () => corporate);
  const parts = { board, history, bars, actions: () => corporate, indices: () => indices };
  const server = cleanUp.use(await startTestServer(parts));
  const running = cleanUp.move();
  return { ...server, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function put(
  store: Store,
  all: Readonly<Record<string, readonly DailyClose[]>>,
): Promise<void> {
  await store.history.transaction(async (transaction) => {
    for (const [ticker, own] of Object.entries(all)) await transaction.put(ticker as Ticker, own);
  }, testStamp);
}

async function fillOrigin(store: Store): Promise<void> {
  await put(store, closes);
  await store.actions.apply({ put: actions }, testChange);
  const values = Array.from({ length: 500 }, (_, at) => ({
    index: 'CER' as const,
    day: (on('2025-08-20') + at) as EpochDay,
    value: 500 * 1.000_7 ** at,
    source: 'bcra',
  }));
  await store.indices.apply({ put: values }, testChange);
}

function depsOf(): FeedDeps {
  return {
    universe,
    clock,
    log: silentLog,
    random: () => 0,
    pause: () => Promise.resolve(),
    directory: scratch.path,
    secrets: new Secrets({ env: {}, directory: scratch.path }),
  };
}

/** The configuration that follows an origin. */
async function configOf(origin: TestServer) {
  await writeFile(join(scratch.path, 'key'), origin.key);
  return pizarraType.schema.parse({
    name: 'office',
    type: 'pizarra',
    url: `http://127.0.0.1:${origin.port}`,
    key: { file: 'key' },
  });
}

const running = { clock, random: () => 0, pause: () => Promise.resolve(), signal: never };

function lackingDays(): LackingDays {
  return new LackingDays([], { clock, onChange: () => undefined });
}

async function mirrorHistory(
  store: Store,
  origin: TestServer,
  {
    lacking = lackingDays(),
    ...request
  }: Partial<HistoryFetchRequest> & { readonly lacking?: LackingDays } = {},
): Promise<HistoryFetchSummary> {
  const source = pizarraType.createHistory?.(await configOf(origin), depsOf()) ?? assert.fail();
  return await fetchHistory(
    { from: '2024-01-01' as PlainDate, ...request },
    {
      ...running,
      sources: [source],
      order: new SourceOrder(['office']),
      history: store.history,
      actions: store.actions,
      universe,
      lacking,
    },
  );
}

async function mirrorIndices(store: Store, origin: TestServer): Promise<IndexFetchSummary> {
  const source = pizarraType.createIndices?.(await configOf(origin), depsOf()) ?? assert.fail();
  const own = { sources: [source], store: store.indices, calendar: undefined };
  return await fetchIndices({ from: 'missing' }, { ...running, ...own });
}

const paths = universe.instruments.flatMap(({ ticker }) => {
  const query = `especie=${encodeURIComponent(ticker)}&desde=2024-01-01&hasta=2027-12-31`;
  return [
    ...['ninguno', 'splits', 'total'].map(
      (ajuste) => `/historicos?${query}&ajuste=${ajuste}&campos=apertura,maximo,minimo,instante`,
    ),
    `/eventos?${query}`,
  ];
});

/** The first row that differs in two bodies, which may be long. */
function firstDifference(here: string, there: string): string {
  const [rows, others] = [here, there].map((body) => body.split(/(?<=\}),/));
  const at = (rows ?? []).findIndex((row, index) => row !== others?.[index]);
  return `here:  ${rows?.[at]}\nthere: ${others?.[at]}`;
}

async function assertSame(
  mirror: TestServer,
  origin: TestServer,
  targets: readonly string[],
): Promise<void> {
  for (const target of targets) {
    const [there, here] = [await origin.get(target), await mirror.get(target)];
    if (here.body !== there.body)
      assert.fail(`${target}\n${firstDifference(here.body, there.body)}`);
    for (const name of ['missing-dividendos', 'missing-especies']) {
      assert.equal(here.header(name), there.header(name), target);
    }
  }
}

test('after a fetch, a mirror answers for closes, actions, indices and bonds as the origin does, field for field', async () => {
  await using origin = await serverOver(fillOrigin);
  let summary: HistoryFetchSummary | undefined;
  await using mirror = await serverOver(async (store) => {
    summary = await mirrorHistory(store, origin);
    const { indices } = await mirrorIndices(store, origin);
    assert.deepEqual(
      indices.map(({ index, added, failed }) => [index, added, failed]),
      [
        ['CER', 500, undefined],
        ...['UVA', 'A3500', 'TAMAR', 'BADLAR', 'ICL', 'IPC'].map((one) => [one, 0, undefined]),
      ],
    );
  });
  const [office] = summary?.sources ?? [];
  const expected = Object.values(closes).reduce((sum, { length }) => sum + length, 0);
  assert.deepEqual([office?.failed, office?.rejected, office?.different], [[], 0, 0]);
  // The closes of OLD are those of NEW before the change, too.
  assert.equal(office?.added, expected + (closes['OLD']?.length ?? 0));
  assert.equal(office?.actions, actions.length);
  assert.match((await origin.get(paths[0] ?? '')).body, /"ultimo":8001.125,"apertura":/);
  await assertSame(mirror, origin, [
    ...paths,
    '/historicos?panel=LID&forma=ancha&desde=2024-01-01&hasta=2027-12-31',
    '/indices',
    ...['CER', 'UVA'].map((index) => `/indices?indice=${index}`),
    '/bonos?panel=BONOS',
    '/bonos?especie=TX28&convencion=bloomberg&plazo=ci',
    '/bonos/flujos?especie=TX28',
  ]);
  assert.match((await mirror.get('/bonos?panel=BONOS')).body, /"especie":"TX28".*"estado":"ok"/);
});

test('corrections and removed actions of the origin reach the mirror; imports of the mirror stay', async () => {
  await using before = await serverOver(fillOrigin);
  await using now = await serverOver(async (store) => {
    await fillOrigin(store);
    await put(store, {
      GGAL: [
        { day: on('2026-11-18'), close: 4_000, volume: null, source: 'import:b.csv' },
        { day: on('2026-09-10'), close: 5_000, volume: null, source: 'import:b.csv' },
      ],
    });
    const [, dividend] = actions;
    await store.actions.apply(
      {
        put: [{ ...(actions[2] as CorporateAction & { type: 'cash-dividend' }), amount: 13 }],
        remove: [dividend as CorporateAction],
      },
      testChange,
    );
  });
  await using mirror = await serverOver(async (store) => {
    const lacking = lackingDays();
    await mirrorHistory(store, before, { lacking });
    await put(store, {
      // A session in which the origin was followed, a session of another feed, and a close of an import.
      AL30: [{ day: on('2026-11-19'), close: 1, volume: 1, source: 'office' }],
      TX28: [{ day: on('2026-11-19'), close: 3, volume: 3, source: 'session:desk' }],
      AL30D: [{ day: on('2026-11-19'), close: 2, volume: 2, source: 'import:mine.csv' }],
    });
    const action = { ticker: 'AL30' as Ticker, exDay: on('2026-11-03'), factor: 3 };
    const own = { ...action, type: 'ratio-change', source: 'import:mine.csv' } as const;
    await store.actions.apply({ put: [own] }, testChange);

    const [office] = (await mirrorHistory(store, now, { lacking })).sources;
    assert.deepEqual(
      [office?.added, office?.corrected, office?.replaced, office?.different, office?.actions],
      [0, 2, 0, 2, 2],
    );
    const read = async (ticker: string, date: string) => {
      const range = { from: on(date), to: on(date) };
      return (await store.history.readCloses(ticker as Ticker, range))[0];
    };
    assert.deepEqual(await read('GGAL', '2026-11-18'), {
      day: on('2026-11-18'),
      close: 4_000,
      volume: null,
      source: 'office',
    });
    assert.notEqual((await read('AL30', '2026-11-19'))?.close, 1);
    assert.equal((await read('AL30D', '2026-11-19'))?.close, 2);
    assert.equal((await read('TX28', '2026-11-19'))?.close, 3);

    // An older correction is read when the operator names its day.
    assert.notEqual((await read('GGAL', '2026-09-10'))?.close, 5_000);
    const from = day('2026-09-01');
    const [again] = (await mirrorHistory(store, now, { from, correctedFrom: from })).sources;
    assert.deepEqual([again?.corrected, (await read('GGAL', '2026-09-10'))?.close], [1, 5_000]);
  });
  await assertSame(
    mirror,
    now,
    paths.filter((path) => path.includes('GGAL')),
  );
  const own = await mirror.get('/eventos?especie=AL30&desde=2026-01-01&hasta=2026-12-31');
  assert.match(own.body, /"ratio","factor":3/);
});
