import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromEpochDay, toEpochDay } from '../../src/domain/plain-date.ts';
import type { PlainDate } from '../../src/domain/plain-date.ts';
import type { Ticker } from '../../src/domain/ticker.ts';
import type { Update } from '../../src/domain/update.ts';
import { FeedFault } from '../../src/feeds/feed.ts';
import { yahooType } from '../../src/feeds/yahoo/index.ts';
import { mapChart, yahooSymbolOf } from '../../src/feeds/yahoo/yahoo-mapper.ts';
import { makeUniverse } from '../support/make-universe.ts';
import type { InstrumentSketch } from '../support/make-universe.ts';
import { sharedData } from '../support/shared-data.ts';
import { fixed, SourceServer } from '../support/source-server.ts';
import type { Responder } from '../support/source-server.ts';
import { createHistory, testPolledSource } from './source-suite.ts';

const universe = makeUniverse([
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE' },
  { ticker: 'SQ_US', market: 'NYSE' },
  { ticker: 'BRK.B_US', market: 'NYSE' },
  { ticker: 'DESP_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'GGAL' },
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'BA.C', kind: 'cedear' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);

/** 13:00 in New York. */
const now = Date.parse('2026-11-20T18:00:00Z');
const time = now / 1_000 - 900;

/** A chart as the source sends it, with made-up values. */
function chart(
  symbol: string,
  meta: Readonly<Record<string, unknown>> = {},
  bars: readonly (readonly (number | null)[])[] = [[time, 210.5, 213, 209, 212.25, 5_000]],
): string {
  const columns = ['open', 'high', 'low', 'close', 'volume'].map((name, index) => [
    name,
    bars.map((bar) => bar[index + 1]),
  ]);
  const result = {
    meta: {
      currency: 'USD',
      symbol,
      gmtoffset: -18_000,
      regularMarketTime: time,
      regularMarketPrice: 212.25,
      regularMarketDayHigh: 213,
      regularMarketDayLow: 209,
      regularMarketVolume: 5_000,
      chartPreviousClose: 1,
      ...meta,
    },
    timestamp: bars.map(([seconds]) => seconds),
    indicators: { quote: [Object.fromEntries(columns)], adjclose: [{ adjclose: [1] }] },
  };
  return JSON.stringify({ chart: { result: [result], error: null } });
}

const state = { last: 212.25, open: 210.5, high: 213, low: 209, volume: 5_000 };

testPolledSource({
  type: yahooType,
  universe,
  config: { instruments: { include: ['AAPL_US'] } },
  now,
  respond: ({ url, headers }) =>
    url === '/v8/finance/chart/AAPL?range=1d&interval=1d&includePrePost=false' &&
    headers['user-agent']?.startsWith('Mozilla/5.0') === true
      ? { body: chart('AAPL') }
      : undefined,
  emptyBodies: [
    '{"chart":{"result":[],"error":null}}',
    '{"chart":{"result":null,"error":{"code":"Not Found"}}}',
    // Another security, which has received the symbol.
    chart('AAPLX'),
    chart('AAPL', { currency: 'ARS' }),
  ],
  expected: [{ ticker: 'AAPL_US' as Ticker, at: time * 1_000, ...state }],
});

test('yahoo: symbols of shares, classes, renamed companies and indices; others are not offered', () => {
  const symbols = universe.instruments.map((one) => yahooSymbolOf(one)?.symbol);
  assert.deepEqual(symbols, [
    'AAPL',
    'SPY',
    'XYZ',
    'BRK-B',
    undefined,
    'GGAL.BA',
    'AAPL.BA',
    undefined,
    undefined,
    '^MERV',
    undefined,
  ]);
});

/** The meaning of a chart of one instrument. */
function mapped(sketch: InstrumentSketch, meta: object, bars?: Parameters<typeof chart>[2]) {
  const [instrument] = makeUniverse([sketch]).instruments;
  const yahoo = instrument && yahooSymbolOf(instrument);
  assert.ok(yahoo !== undefined);
  const sent = chart(yahoo.symbol, { currency: yahoo.currency, ...meta }, bars);
  const { updates, rejected } = mapChart(JSON.parse(sent), yahoo);
  return [...updates, ...rejected.map(({ reason }) => reason)];
}

test('yahoo: an index has no volume, and what is missing is left out', () => {
  const merval = { ticker: 'MERVAL', kind: 'index' } as const;
  const { volume: _, ...withoutVolume } = state;
  const at = time * 1_000;
  assert.deepEqual(mapped(merval, { regularMarketVolume: 0 }), [
    { ticker: 'MERVAL', at, ...withoutVolume },
  ]);
  const none = {
    regularMarketDayHigh: null,
    regularMarketDayLow: 0,
    regularMarketVolume: undefined,
  };
  const ggal: Update = { ticker: 'GGAL' as Ticker, at, last: 212.25 };
  assert.deepEqual(mapped({ ticker: 'GGAL' }, none, []), [ggal]);
});

test('yahoo: the open of another day is not that of the session', () => {
  const { open: _, ...withoutOpen } = state;
  const yesterday = [time - 86_400, 205, 206, 204, 205.5, 900] as const;
  assert.deepEqual(mapped({ ticker: 'GGAL' }, {}, [yesterday]), [
    { ticker: 'GGAL', at: time * 1_000, ...withoutOpen },
  ]);
});

test('yahoo: before the open the instant is that of the session before', () => {
  const close = Date.parse('2026-11-19T21:00:01Z') / 1_000;
  const [update] = mapped({ ticker: 'AAPL_US', market: 'NYSE' }, { regularMarketTime: close });
  assert.equal((update as Update).at, close * 1_000);
});

test('yahoo: a frozen share, a missing price and an instant that cannot be right are rejected', () => {
  for (const [meta, reason] of [
    [{ regularMarketVolume: 0 }, 'not-traded'],
    [{ regularMarketPrice: null }, 'no-price'],
    [{ regularMarketPrice: 0 }, 'no-price'],
    [{ regularMarketPrice: '212.25' }, 'no-price'],
    [{ regularMarketTime: undefined }, 'bad-instant'],
    [{ regularMarketTime: 0 }, 'bad-instant'],
    [{ regularMarketTime: -62_135_596_800 }, 'bad-instant'],
    [{ regularMarketTime: '2026-11-20' }, 'bad-instant'],
  ] as const) {
    assert.deepEqual(mapped({ ticker: 'GGAL' }, meta), [reason], JSON.stringify(meta));
  }
});

/** What the history source says about one instrument when the server answers in this way. */
async function history(ticker: string, respond: Responder, to = '2026-11-20') {
  await using server = await SourceServer.start();
  server.respond = respond;
  const source = createHistory({ type: yahooType, universe, now }, server.url);
  const range = { from: '2026-11-02' as PlainDate, to: to as PlainDate };
  const request = { ticker: ticker as Ticker, ...range };
  const { closes, rejected, actions } = await source.fetch(request, AbortSignal.timeout(10_000));
  return {
    actions,
    url: server.requests.map(({ url }) => url),
    closes: closes.map(({ day, ...close }) => ({ date: fromEpochDay(day), ...close })),
    rejected: rejected.map(({ reason }) => reason),
  };
}

/** The instant of the bar of a day, which is the open in New York. */
function openOf(date: string): number {
  return Date.parse(`${date}T14:30:00Z`) / 1_000;
}

test('yahoo: history gives the closes of ended sessions, and rejects days without a price', async () => {
  const body = chart('AAPL', {}, [
    // Numbers of 32 bits, as the source sends them.
    [openOf('2026-11-17'), 216.5399932861328, 218, 215, 217.1199951171875, 7_000],
    [openOf('2026-11-18'), null, null, null, null, 300],
    [openOf('2026-11-19'), 217, 219.25, 216.5, 219, 8_000],
    [openOf('2026-11-20'), 219, 220, 218, 219.5, 4_000],
  ]);
  assert.deepEqual(await history('AAPL_US', fixed(200, {}, body)), {
    actions: [],
    url: [
      // From 00:00 of the first day in New York to 00:00 of the day after the last one.
      '/v8/finance/chart/AAPL?period1=1793595600&period2=1795237200&interval=1d&includePrePost=false&events=div%2Csplits',
    ],
    closes: [
      { date: '2026-11-17', close: 217.12, volume: 7_000, open: 216.54, high: 218, low: 215 },
      { date: '2026-11-19', close: 219, volume: 8_000, open: 217, high: 219.25, low: 216.5 },
    ],
    rejected: ['no-price'],
  });
});

test('yahoo: prices and volumes before a split are those of their day, although the request ends before it', async () => {
  const body = chart('AAPL', {}, [
    // The source has divided prices by 4, and multiplied volumes by 4.
    [openOf('2026-11-17'), 124.5, 125, 124.0250015258789, 124.80750274658203, 28_000],
    [openOf('2026-11-18'), 125, 126, 124, 125.25, 4_000],
  ]);
  const split = { date: openOf('2026-11-18'), numerator: 4, denominator: 1, splitRatio: '4:1' };
  const dividend = { date: openOf('2026-11-17'), amount: 0.205 };
  const parsed = JSON.parse(body) as { chart: { result: [Record<string, unknown>] } };
  parsed.chart.result[0]['events'] = {
    splits: { a: split },
    dividends: { b: {}, c: dividend },
  };
  const answer = fixed(200, {}, JSON.stringify(parsed));
  const { actions, url, closes, rejected } = await history('AAPL_US', answer, '2026-11-17');
  const common = { ticker: 'AAPL_US', source: 'tested' };
  assert.match(url[0] ?? '', /period2=1795237200&/);
  assert.deepEqual(closes, [
    { date: '2026-11-17', close: 499.23, volume: 7_000, open: 498, high: 500, low: 496.1 },
  ]);
  assert.deepEqual(actions, [
    { ...common, exDay: toEpochDay('2026-11-18' as PlainDate), type: 'split', factor: 4 },
    {
      ...common,
      exDay: toEpochDay('2026-11-17' as PlainDate),
      type: 'cash-dividend',
      amount: 0.82,
      currency: 'USD',
    },
  ]);
  assert.deepEqual(rejected, ['unintelligible']);
  parsed.chart.result[0]['events'] = { splits: { a: split, b: { ...split, numerator: null } } };
  const unreadable = fixed(200, {}, JSON.stringify(parsed));
  await assert.rejects(history('AAPL_US', unreadable), { code: 'unintelligible' });
});

test('yahoo: the history of a symbol that the source does not have is named as missing', async () => {
  const answer = '{"chart":{"result":null,"error":{"code":"Not Found"}}}';
  const { closes, rejected } = await history('AAPL_US', fixed(404, {}, answer));
  assert.deepEqual([closes, rejected], [[], ['not-offered']]);
});

test('yahoo: a page instead of a history is a fault', async () => {
  await assert.rejects(history('GGAL', fixed(200, {}, '<html></html>')), FeedFault);
  await assert.rejects(history('GGAL', fixed(429)), { code: 'limited' });
});

for (const [file, ticker, days, first, last] of [
  ['chart-AAPL-2020-08-31-to-2020-11-07.json', 'AAPL_US', 49, 129.04, 118.69],
  [
    'historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json',
    'NVDA_US',
    252,
    // The source divided it by 40: by the 4 of the recording, and by the 10 of a later split.
    52.948,
    22.84,
  ],
] as const) {
  test(`yahoo: every day of the recorded ${file} is a close, on the scale of the day after the recording`, async (t) => {
    const path = sharedData('payloads/yahoo');
    if (path === undefined) {
      t.skip('needs the shared data');
      return;
    }
    await using server = await SourceServer.start();
    server.respond = fixed(200, {}, readFileSync(join(path, file), 'utf8'));
    const own = makeUniverse([{ ticker, market: 'NYSE' }]);
    const source = createHistory({ type: yahooType, universe: own, now }, server.url);
    const range = { from: '2020-08-31' as PlainDate, to: '2022-01-31' as PlainDate };
    const { closes, rejected } = await source.fetch(
      { ticker: ticker as Ticker, ...range },
      AbortSignal.timeout(10_000),
    );
    assert.deepEqual(rejected, []);
    assert.deepEqual([closes.length, closes[0]?.close, closes.at(-1)?.close], [days, first, last]);
  });
}
