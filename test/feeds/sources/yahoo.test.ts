import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import type { FeedFault } from '../../../src/feeds/contract/feed.ts';
import { mapChart, yahooType } from '../../../src/feeds/sources/yahoo.ts';
import { yahooSymbolOf } from '../../../src/feeds/shapes/yahoo-symbols.ts';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { makeUniverse, type InstrumentSketch } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, SourceServer, type Responder } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { createFeed, playHistory, testHistoryFaults, testPolledSource } from './source-suite.ts';

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

/** The charts of several symbols as the source sends them: with closes alone. */
function spark(...symbols: readonly string[]): string {
  return sparkOf(...symbols.map((symbol) => [symbol, {}] as const));
}

function sparkOf(...charts: readonly (readonly [string, object])[]): string {
  const result = charts.map(([symbol, more]) => {
    const { chart: sent } = JSON.parse(chart(symbol, { ...more })) as {
      chart: { result: [{ meta: object }] };
    };
    const { meta } = sent.result[0];
    const response = { meta, timestamp: [time], indicators: { quote: [{ close: [212.25] }] } };
    return { symbol, response: [response] };
  });
  return JSON.stringify({ spark: { result, error: null } });
}

const sparkUrl = (symbols: string): string =>
  `/v7/finance/spark?symbols=${symbols}&range=1d&interval=1d`;
const chartUrl = (symbol: string): string =>
  `/v8/finance/chart/${symbol}?range=1d&interval=1d&includePrePost=false`;
const { open: _open, ...stateOfSpark } = {
  last: 212.25,
  open: 210.5,
  high: 213,
  low: 209,
  volume: 5_000,
};

testPolledSource({
  type: yahooType,
  universe,
  config: { instruments: { include: ['AAPL_US'] } },
  now,
  respond: ({ url, headers }) => {
    if (headers['user-agent']?.startsWith('Mozilla/5.0') !== true) return undefined;
    if (url === sparkUrl('AAPL')) return { body: spark('AAPL') };
    return url === chartUrl('AAPL') ? { body: chart('AAPL') } : undefined;
  },
  emptyBodies: [
    '{"spark":{"result":[],"error":null}}',
    '{"spark":{"result":null,"error":{"code":"Bad Request"}}}',
    '{"chart":{"result":[],"error":null}}',
    '{"chart":{"result":null,"error":{"code":"Not Found"}}}',
    // Another security, which has received the symbol.
    chart('AAPLX'),
    chart('AAPL', { currency: 'ARS' }),
  ],
  expected: [
    { ticker: 'AAPL_US' as Ticker, at: time * 1_000, ...stateOfSpark },
    // The open of the session comes from the chart of the instrument.
    {
      ticker: 'AAPL_US' as Ticker,
      at: time * 1_000,
      last: 212.25,
      open: 210.5,
      high: 213,
      low: 209,
      volume: 5_000,
    },
  ],
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

/** Polls the source once for each time, and says what was requested. */
async function poll(
  respond: Responder,
  options: {
    readonly universe: Universe;
    readonly earlier?: ReadonlySet<Ticker>;
    readonly polls?: number;
  },
) {
  await using server = await SourceServer.start();
  server.respond = respond;
  let ended = new AbortController();
  const feed = createFeed({ type: yahooType, universe: options.universe, now }, server.url, {
    ...(options.earlier === undefined ? {} : { earlier: options.earlier }),
    pause: async (ms) => {
      if (ms >= 60_000) ended.abort();
    },
  });
  const updates: Update[] = [];
  const rejected: unknown[] = [];
  const faults: unknown[] = [];
  const requests: string[][] = [];
  for (let polls = options.polls ?? 1; polls > 0; polls -= 1) {
    ended = new AbortController();
    server.requests.length = 0;
    try {
      for await (const batch of feed.batches(ended.signal)) {
        updates.push(...batch.updates);
        rejected.push(...batch.rejected.map(({ reason, symbol }) => [symbol, reason]));
      }
    } catch (fault) {
      faults.push(fault);
    }
    requests.push(server.requests.map(({ url }) => decodeURIComponent(url)));
  }
  return { updates, rejected, faults, requests };
}

/** The symbols of a request. */
function symbolsIn(url: string): readonly string[] {
  const many = /symbols=([^&]*)/.exec(url)?.[1];
  return many?.split(',') ?? [/chart\/([^?]*)/.exec(url)?.[1] ?? ''];
}

/** A source that knows every symbol, and answers so many requests of each poll. */
function limitedTo(limit: number, { hasSpark = true } = {}): Responder {
  let count = 0;
  return ({ url }, response) => {
    count += 1;
    const wanted = symbolsIn(decodeURIComponent(url));
    if (count > limit) response.writeHead(429).end('Too Many Requests');
    else if (url.includes('/spark')) {
      if (!hasSpark) response.writeHead(404).end('{}');
      else response.end(sparkOf(...wanted.map((one) => [one, currencyOf(one)] as const)));
    } else response.end(chart(wanted[0] ?? '', currencyOf(wanted[0] ?? '')));
  };
}

function currencyOf(symbol: string): Readonly<Record<string, unknown>> {
  return symbol.endsWith('.BA') || symbol === '^MERV' ? { currency: 'ARS' } : {};
}

test('yahoo: one request has many symbols, those first that no other source has', async () => {
  const locals = Array.from({ length: 30 }, (_, index) => ({ ticker: `L${index}` }));
  const funds = ['SPY_US', 'QQQ_US'].map(
    (ticker) => ({ ticker, kind: 'etf', market: 'NYSE' }) as const,
  );
  const own = makeUniverse([...locals, ...funds]);
  const earlier = new Set(locals.map(({ ticker }) => ticker as Ticker));
  const { updates, requests } = await poll(limitedTo(100), { universe: own, earlier });
  const [first, second, ...charts] = requests[0] ?? [];
  assert.deepEqual(symbolsIn(first ?? '').slice(0, 3), ['SPY', 'QQQ', 'L0.BA']);
  assert.deepEqual(
    [first, second].map((url) => symbolsIn(url ?? '').length),
    [20, 12],
  );
  // Another source gives the open of the others.
  assert.deepEqual(charts.map(symbolsIn), [['SPY'], ['QQQ']]);
  assert.deepEqual(
    fieldsIn(
      updates.filter(({ open }) => open !== undefined),
      'ticker',
    ),
    ['SPY_US', 'QQQ_US'],
  );
});

test('yahoo: a poll requests a limited number of opens, and the next poll the others', async () => {
  const own = makeUniverse(Array.from({ length: 35 }, (_, index) => ({ ticker: `L${index}` })));
  const { requests } = await poll(limitedTo(100), { universe: own, polls: 3 });
  const opens = requests.map((urls) => urls.filter((url) => !url.includes('/spark')).length);
  assert.deepEqual(opens, [30, 5, 0]);
});

test('yahoo: the open of a session is requested once', async () => {
  const own = makeUniverse([{ ticker: 'SPY_US', kind: 'etf', market: 'NYSE' }]);
  const { requests } = await poll(limitedTo(100), { universe: own, polls: 3 });
  assert.deepEqual(requests, [
    [sparkUrl('SPY'), chartUrl('SPY')],
    [sparkUrl('SPY')],
    [sparkUrl('SPY')],
  ]);
});

test('yahoo: without the request for many symbols, each one is requested alone', async () => {
  const own = makeUniverse([{ ticker: 'AAPL_US', market: 'NYSE' }, { ticker: 'GGAL' }]);
  const { updates, requests, faults } = await poll(limitedTo(100, { hasSpark: false }), {
    universe: own,
  });
  assert.deepEqual(requests, [[sparkUrl('AAPL,GGAL.BA'), chartUrl('AAPL'), chartUrl('GGAL.BA')]]);
  assert.deepEqual(fieldsIn(updates, 'ticker', 'open'), ['AAPL_US 210.5', 'GGAL 210.5']);
  assert.deepEqual(faults, []);
});

const confused: Responder = ({ url }, response) =>
  void response.end(url.includes('/spark') ? spark('AAPL', 'GGAL.BA') : chart('AAPL'));

test('yahoo: a symbol that the source leaves out or confuses does not spoil the others', async () => {
  const own = makeUniverse([
    { ticker: 'AAPL_US', market: 'NYSE' },
    { ticker: 'GONE_US', market: 'NYSE' },
    { ticker: 'GGAL' },
  ]);
  const { updates, rejected } = await poll(confused, { universe: own });
  assert.deepEqual([...new Set(updates.map(({ ticker }) => ticker))], ['AAPL_US']);
  // The chart of the share of BYMA is in dollars.
  assert.deepEqual(rejected, [
    ['GONE', 'not-offered'],
    ['GGAL.BA', 'unintelligible'],
  ]);
});

test('yahoo: over the default universe and a limit of 300 requests a poll, the funds that no other source has are served first', async () => {
  const loaded = await loadUniverse('universe');
  assert.ok(loaded.ok);
  const funds = loaded.universe.instruments.filter(({ kind }) => kind === 'etf');
  assert.ok(funds.length >= 80, String(funds.length));
  const offered = loaded.universe.instruments.filter((one) => yahooSymbolOf(one) !== undefined);
  const isFund = new Set(funds.map(({ ticker }) => ticker));
  const earlier = new Set(offered.map(({ ticker }) => ticker).filter((one) => !isFund.has(one)));
  const limited = limitedTo(300, { hasSpark: false });
  const options = { universe: loaded.universe, earlier };
  const first = await poll(limited, options);
  const served = new Set(first.updates.map(({ ticker }) => ticker));
  const known = funds.filter((one) => yahooSymbolOf(one) !== undefined);
  assert.deepEqual(
    known.filter(({ ticker }) => !served.has(ticker)),
    [],
  );
  assert.equal((first.faults[0] as FeedFault).code, 'limited');
  const many = await poll(limitedTo(300), options);
  assert.deepEqual(many.faults, [], 'requests for many symbols stay below the limit');
  assert.equal(new Set(many.updates.map(({ ticker }) => ticker)).size, offered.length);
});

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
function history(ticker: string, respond: Responder, to = '2026-11-20') {
  const asked = { ticker, from: '2026-11-02', to, respond };
  return playHistory({ type: yahooType, universe, now }, asked);
}

testHistoryFaults(yahooType, (respond) => history('AAPL_US', respond));

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
  const { actions, urls, closes, rejected } = await history('AAPL_US', fixed(200, {}, body));
  assert.deepEqual(
    { actions, urls, closes, rejected },
    {
      actions: [],
      urls: [
        // From 00:00 of the first day in New York to 00:00 of the day after the last one.
        '/v8/finance/chart/AAPL?period1=1793595600&period2=1795237200&interval=1d&includePrePost=false&events=div%2Csplits',
      ],
      closes: [
        { date: '2026-11-17', close: 217.12, volume: 7_000, open: 216.54, high: 218, low: 215 },
        { date: '2026-11-19', close: 219, volume: 8_000, open: 217, high: 219.25, low: 216.5 },
      ],
      rejected: ['no-price'],
    },
  );
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
  const { actions, urls, closes, rejected } = await history('AAPL_US', answer, '2026-11-17');
  const common = { ticker: 'AAPL_US', source: 'tested' };
  assert.match(urls[0] ?? '', /period2=1795237200&/);
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
    const path = sharedOrSkip(t, 'payloads/yahoo');
    if (path === undefined) return;
    const own = makeUniverse([{ ticker, market: 'NYSE' }]);
    const respond = fixed(200, {}, readFileSync(join(path, file), 'utf8'));
    const asked = { ticker, from: '2020-08-31', to: '2022-01-31', respond };
    const { closes, rejected } = await playHistory({ type: yahooType, universe: own, now }, asked);
    assert.deepEqual(rejected, []);
    assert.deepEqual([closes.length, closes[0]?.close, closes.at(-1)?.close], [days, first, last]);
  });
}
