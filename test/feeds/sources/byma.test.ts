import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { type PanelName, bymaType, mapPanel } from '../../../src/feeds/sources/byma.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type ReceivedRequest, type Responder } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { playHistory, testHistoryFaults, testPolledSource } from './source-suite.ts';

const universe = makeUniverse([
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'CAUCION 1D', kind: 'interest-rate' },
  { ticker: 'CAUCION 7D', kind: 'interest-rate' },
  { ticker: 'CAUCION 30D', kind: 'interest-rate' },
  { ticker: 'GGAL' },
  { ticker: 'YPFD' },
  { ticker: 'PAMP' },
  { ticker: 'HARG' },
  { ticker: 'AAPL_US', market: 'NYSE' },
]);

/** An instant of Friday, 20 November 2026, in Buenos Aires. */
function at(time: string): number {
  return Date.parse(`2026-11-20T${time}-03:00`);
}

const now = at('12:30:00');

type Row = Readonly<Record<string, unknown>>;

/** A row of a panel of securities, with made-up values. */
function security(symbol: string, trade: number, tradeHour?: string, more: Row = {}): Row {
  return {
    symbol,
    settlementType: '2',
    denominationCcy: 'ARS',
    trade,
    openingPrice: trade && trade - 1,
    tradingHighPrice: trade && trade + 2,
    tradingLowPrice: 0,
    previousClosingPrice: 100,
    closingPrice: trade === 0 ? 100 : trade,
    volume: trade && 1_000,
    volumeAmount: trade * 1_000,
    numberOfOrders: trade && 10,
    bidPrice: trade && trade * 0.5,
    quantityBid: 7,
    offerPrice: 0,
    quantityOffer: 0,
    ...(tradeHour === undefined ? {} : { tradeHour }),
    ...more,
  };
}

/** A row of a repurchase agreement: all prices are fractions but that of settlement. */
function repo(symbol: string, daysToMaturity: number, trade: number, tradeHour?: string): Row {
  return {
    ...security(symbol, trade, tradeHour),
    settlementType: '1',
    denominationCcy: symbol.startsWith('PESOS') ? 'ARS' : 'USD',
    daysToMaturity,
    openingPrice: trade,
    tradingHighPrice: trade,
    tradingLowPrice: trade,
    settlementPrice: trade * 100,
  };
}

function index(symbol: string, price: number): Row {
  return { symbol, price, highValue: price && 2_010_000, minValue: 0, previousClosingPrice: 0 };
}

function page(...data: readonly Row[]): object {
  return { content: { page_number: 1, total_elements_count: data.length }, data, empty: false };
}

/** An unchanged row, a changed one, and others around them. */
const before: Readonly<Record<string, unknown>> = {
  'index-price': { data: [index('G', 90_000_000), index('M', 2_000_000)] },
  cauciones: [
    repo('PESOS-2311-U-CT-ARS', 3, 0.2, '12:00:00'),
    repo('PESOS-2711-U-CT-ARS', 7, 0.21, '11:00:00'),
    repo('DOLAR-2711-U-CT-USD', 7, 0.02, '11:00:00'),
    repo('PESOS-2012-U-CT-ARS', 30, 0),
  ],
  'leading-equity': page(security('GGAL', 6_000, '12:08:00'), security('YPFD', 8_300, '11:00:00')),
  'general-equity': page(security('HARG', 0)),
};

const after: Readonly<Record<string, unknown>> = {
  'index-price': { data: [index('G', 90_000_000), index('M', 2_000_100.5)] },
  cauciones: [
    repo('PESOS-2311-U-CT-ARS', 3, 0.206, '12:09:59'),
    repo('PESOS-2711-U-CT-ARS', 7, 0.21, '11:00:00'),
    repo('DOLAR-2711-U-CT-USD', 7, 0.03, '12:09:00'),
    repo('PESOS-2012-U-CT-ARS', 30, 0),
  ],
  'leading-equity': page(
    security('GGAL', 6_010, '12:10:00', { volume: 1_500 }),
    // Not changed, but its panel is of today.
    security('YPFD', 8_300, '11:00:00'),
    security('GGAL', 6_500, '12:10:00', { settlementType: '1' }),
    // The time of day is still to come: the trade was yesterday.
    security('PAMP', 4_900, '16:59:00'),
  ),
  'general-equity': page(security('HARG', 0)),
};

function respond(panels: Readonly<Record<string, unknown>>) {
  return ({ method, url, headers, body }: ReceivedRequest) => {
    assert.equal(method, 'POST');
    assert.ok(JSON.parse(body));
    assert.equal(headers.referer, `${String(headers['origin'])}/`);
    const panel = panels[url.replace('/vanoms-be-core/rest/api/bymadata/free/', '')];
    return panel === undefined ? undefined : { body: JSON.stringify(panel) };
  };
}

function share(ticker: string, time: string, last: number, volume: number): Update {
  const range = { open: last - 1, high: last + 2, previousClose: 100 };
  return { ticker: ticker as Ticker, at: at(time), last, ...range, volume };
}

/** The book of a share, at the instant of the snapshot. */
function book(ticker: string, last: number) {
  const sides = { bid: last * 0.5, bidSize: 7, askSize: 0 };
  const update = { ticker: ticker as Ticker, at: at('12:10:00'), ...sides };
  return { ...update, amount: last * 1_000, trades: 10 };
}

/** The book of a rate has no size and no amount, because they are money that is lent. */
function rateBook(ticker: string, bid: number) {
  return { ticker: ticker as Ticker, at: at('12:10:00'), bid, askSize: 0, trades: 10 };
}

function rate(ticker: string, time: string, last: number): Update {
  return { ticker: ticker as Ticker, at: at(time), last, open: last, high: last, low: last };
}

testPolledSource({
  type: bymaType,
  universe,
  now,
  before: { now: now - 60_000, respond: respond(before), requests: 4 },
  respond: respond(after),
  emptyBodies: ['[]', '{"content":{},"data":[],"empty":true}'],
  expected: [
    // Delayed by 20 minutes.
    { ticker: 'MERVAL' as Ticker, at: at('12:10:00'), last: 2_000_100.5, high: 2_010_000 },
    // The shortest term of a Friday has three days.
    rate('CAUCION 1D', '12:09:59', 20.6),
    rateBook('CAUCION 1D', 10.3),
    rate('CAUCION 7D', '11:00:00', 21),
    rateBook('CAUCION 7D', 10.5),
    // The trade is of the instant of the snapshot.
    { ...share('GGAL', '12:10:00', 6_010, 1_500), ...book('GGAL', 6_010) },
    share('YPFD', '11:00:00', 8_300, 1_000),
    book('YPFD', 8_300),
  ],
});

const time = {
  snapshotAt: at('12:10:00'),
  midnight: at('00:00:00'),
  latestAt: at('12:31:00'),
};

/** What a panel gives: prices and reasons. */
function map(name: PanelName, body: unknown): readonly string[] {
  const tickers = new Set(universe.instruments.map(({ ticker }) => ticker));
  const { rows, rejected } = mapPanel(name, body, { tickers, time });
  return [
    ...rows.map(({ ticker, last }) => `${ticker} ${last ?? 'untraded'}`),
    ...rejected.map(({ reason }) => reason),
  ];
}

test('byma: a row without a trade, a time or a plausible rate is rejected', () => {
  assert.deepEqual(
    map('leading-equity', [
      security('GGAL', 0),
      security('GGAL', 6_000, '12:00:00', { volume: 0 }),
      security('GGAL', 6_000),
      security('GGAL', 6_000, '25:00:00'),
      security('GGAL', 6_000, '12:32:00'),
      security('GGAL', Number.NaN),
      security('GGAL', 6_000, '12:00:00', { volume: null }),
      security('OTRA', 6_000, '12:00:00'),
      {},
      null,
    ]),
    [
      'GGAL untraded',
      'GGAL untraded',
      'bad-instant',
      'bad-instant',
      'outdated',
      'unintelligible',
      'unintelligible',
      'no-instrument',
      'unintelligible',
      'unintelligible',
    ],
  );
  // A percentage instead of a fraction.
  assert.deepEqual(map('cauciones', [repo('PESOS-2711-U-CT-ARS', 7, 21, '12:00:00')]), [
    'unintelligible',
  ]);
  // All values are 0 before the open.
  assert.deepEqual(map('index-price', { data: [index('M', 0)] }), ['no-price']);
});

test('byma: a panel with fewer rows than it announces is reported, and its rows are used', () => {
  const body = { content: { total_elements_count: 2 }, data: [security('GGAL', 10, '12:00:00')] };
  assert.deepEqual(map('leading-equity', body), ['GGAL 10', 'incomplete']);
});

test('byma: the recorded repo rates of 7 September 2026 are percentages by term', (t) => {
  const file = sharedOrSkip(t, 'payloads/byma/cauciones-20260907-18of133.json');
  if (file === undefined) return;
  const tickers = new Set(['CAUCION 1D', 'CAUCION 7D', 'CAUCION 14D', 'CAUCION 30D'] as Ticker[]);
  const midnight = Date.parse('2026-09-07T00:00:00-03:00');
  const recorded = { snapshotAt: midnight, midnight, latestAt: midnight + 86_400_000 };
  const body: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const { rows } = mapPanel('cauciones', body, { tickers, time: recorded });
  assert.deepEqual(fieldsIn(rows, 'ticker', 'last', 'trades'), [
    'CAUCION 30D 24 626',
    'CAUCION 1D 17.5 56762',
  ]);
  assert.equal(rows[1]?.at, Date.parse('2026-09-07T16:59:59-03:00'));
});

test('byma: a recorded price with immediate settlement is not that of the share', (t) => {
  const file = sharedOrSkip(t, 'payloads/byma/leading-equity-202606-ALUA-CI.json');
  if (file === undefined) return;
  const tickers = new Set(['ALUA' as Ticker]);
  const body: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const { rows, rejected } = mapPanel('leading-equity', body, { tickers, time });
  assert.deepEqual(rows, []);
  // The recording holds one of forty rows.
  assert.deepEqual(fieldsIn(rejected, 'reason'), ['incomplete', 'no-instrument']);
});

/** The history of a source that answers as given, and the requested URL. */
async function history(respondTo: Responder): Promise<readonly unknown[]> {
  const asked = { ticker: 'GGAL', from: '2026-11-17', to: '2026-11-20', respond: respondTo };
  const played = await playHistory({ type: bymaType, universe, now }, asked);
  assert.deepEqual(played.instruments, ['GGAL', 'YPFD', 'PAMP', 'HARG']);
  assert.deepEqual(played.urls, [
    '/vanoms-be-core/rest/api/bymadata/free/chart/historical-series/history' +
      '?symbol=GGAL+24HS&resolution=D&from=1794884400&to=1795229999',
  ]);
  return [
    ...played.closes.map(({ date, open, high, low, close, volume }) => {
      return [date, open, high, low, close, volume];
    }),
    ...played.rejected,
  ];
}

testHistoryFaults(bymaType, history);

test('byma: history gives the ended sessions, dated in Buenos Aires', async () => {
  const days = ['17', '18', '19', '20'];
  const body = {
    s: 'ok',
    t: days.map((day) => Date.parse(`2026-11-${day}T00:00:00-03:00`) / 1_000),
    o: [10, 11, 12, 13],
    h: [11, 12, 13, 14],
    l: [9, 10, 0, 12],
    c: [10.5, 11.5, 12.5, 13.5],
    v: [100, 200.5, 300, 400],
  };
  assert.deepEqual(await history(fixed(200, {}, JSON.stringify(body))), [
    ['2026-11-17', 10, 11, 9, 10.5, 100],
    ['2026-11-18', 11, 12, 10, 11.5, 200.5],
    ['2026-11-19', 12, 13, undefined, 12.5, 300],
  ]);
  const nothing = JSON.stringify({ s: 'no_data', t: [], o: [], h: [], l: [], c: [], v: [] });
  assert.deepEqual(await history(fixed(200, {}, nothing)), []);
  const undated = JSON.stringify({ s: 'ok', t: [9e15], o: [1], h: [1], l: [1], c: [1], v: [1] });
  assert.deepEqual(await history(fixed(200, {}, undated)), ['unintelligible']);
});

test('byma: a history that is not one is a fault', async () => {
  for (const [code, respondTo] of [
    ['unintelligible', fixed(200, {}, '{"s":"ok","t":[1],"o":[],"h":[1],"l":[1],"c":[1],"v":[1]}')],
    ['unintelligible', fixed(200, {}, '{"s":"ok","t":[1],"c":[1]}')],
    ['unintelligible', fixed(200, {}, '{"s":"ok","t":[],"c":[]}')],
    ['unintelligible', fixed(200, {}, '{"s":"error"}')],
    ['invalid-request', fixed(400, {}, '')],
  ] as const) {
    await assert.rejects(history(respondTo), { code });
  }
});
