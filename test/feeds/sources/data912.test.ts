import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import {
  type PanelName,
  data912Type,
  mapPanel,
  tickersOfPanel,
} from '../../../src/feeds/sources/data912.ts';
import type { RejectionReason } from '../../../src/feeds/contract/feed.ts';
import { makeUniverse, type InstrumentSketch } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type ReceivedRequest, type Responder } from '../../support/http/source-server.ts';
import { playHistory, testHistoryFaults, testPolledSource } from './source-suite.ts';

const now = Date.parse('2026-11-20T12:01:00-03:00');

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'YPFD' },
  { ticker: 'PAMP' },
  { ticker: 'BMA.D' },
  { ticker: 'MIRG' },
  { ticker: 'GLOB', kind: 'cedear' },
  { ticker: 'BA', kind: 'cedear' },
  { ticker: 'BA.C', kind: 'cedear' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'T15E7', kind: 'bond' },
  { ticker: 'GLOB_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'AAPL_US', kind: 'share', market: 'NYSE' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE' },
]);

/** A row as the source sends it, with made-up values. */
function row(symbol: string, c: number | null, v: number | null, trades: number | null): object {
  return {
    symbol,
    q_bid: 12,
    px_bid: 5.5,
    px_ask: 0,
    q_ask: 0,
    v,
    q_op: trades,
    c,
    pct_change: 9999.99,
  };
}

type Panels = Readonly<Record<string, readonly object[]>>;

function respond(panels: Panels) {
  return ({ method, url }: ReceivedRequest) => {
    const rows = panels[url];
    return method === 'GET' && rows !== undefined ? { body: JSON.stringify(rows) } : undefined;
  };
}

const before: Panels = {
  '/live/arg_stocks': [
    row('GGAL', 6_000, 900, 30),
    row('YPFD', 8_300, 700, 20),
    row('BMA.D', 8.1, 0, 0),
    row('MIRG', 20_000, 5, 1),
  ],
  '/live/arg_cedears': [row('GLOB', 9_000, 10, 2), row('BAC', 9.1, 3, 1)],
  '/live/arg_bonds': [row('AL30', 83_900, 1_000, 3), row('T15E7', 149.6, 50, 2)],
  '/live/arg_notes': [row('T15E7', 149.6, 50, 2), row('S30N6', 110, 5, 1)],
  '/live/usa_adrs': [row('GLOB', 60, 100, 5)],
  '/live/usa_stocks': [row('GLOB', 60, 100, 5), row('AAPL', 250, 500, 40)],
};

const after: Panels = {
  '/live/arg_stocks': [
    row('GGAL', 6_010, 950, 31),
    // Nothing but the number of trades has changed.
    row('YPFD', 8_300, 700, 21),
    row('BMA.D', 8.1, 0, 0),
    // A fractional volume, as some series have.
    row('MIRG', 20_000, 5.5, 2),
    // Not there before: it may have traded at any time.
    row('PAMP', 4_967.5, 100, 10),
  ],
  '/live/arg_cedears': [row('GLOB', 9_000, 10, 2), row('BAC', 9.2, 5, 2)],
  '/live/arg_bonds': [row('AL30', 83_940, 1_200, 4), row('T15E7', 149.7, 60, 3)],
  // The panel is a poll behind: it may not take the quote back.
  '/live/arg_notes': [row('T15E7', 149.65, 55, 3), row('S30N6', 111, 6, 2)],
  '/live/usa_adrs': [row('GLOB', 61, 120, 6)],
  '/live/usa_stocks': [row('GLOB', 60.5, 110, 6), row('AAPL', null, null, null)],
};

function update(ticker: string, last: number, volume: number, trades: number): Update {
  const book = { bid: 5.5, bidSize: 12, askSize: 0, trades };
  return { ticker: ticker as Ticker, at: now, last, volume, ...book };
}

testPolledSource({
  type: data912Type,
  universe,
  config: { instruments: { exclude: ['AL30'] } },
  now,
  before: { now: now - 60_000, respond: respond(before), requests: 6 },
  respond: respond(after),
  expected: [
    update('GGAL', 6_010, 950, 31),
    update('YPFD', 8_300, 700, 21),
    update('MIRG', 20_000, 5.5, 2),
    update('T15E7', 149.7, 60, 3),
    update('GLOB_US', 61, 120, 6),
  ],
});

/** The history of a source that answers as given. */
async function history(
  ticker: string,
  respondTo: Responder,
): Promise<readonly (readonly [string, number, number | null] | RejectionReason)[]> {
  const asked = { ticker, from: '2026-11-01', to: '2026-11-20', respond: respondTo };
  const { closes, rejected, urls } = await playHistory({ type: data912Type, universe, now }, asked);
  assert.equal(urls.length, 1);
  return [...closes.map(({ date, close, volume }) => [date, close, volume] as const), ...rejected];
}

testHistoryFaults(data912Type, (respondTo) => history('GGAL', respondTo));

function bar(date: string, c: number | null, v: number, o = c): object {
  return { date, o, h: c, l: c, c, v, dr: 0.01, sa: 0.4 };
}

test('data912: history gives the closes of ended sessions, oldest first, as they were traded', async () => {
  const bars = [
    bar('2026-11-16', 5_900, 100),
    bar('2026-11-17', 590, 900),
    bar('2026-11-18', 591, 1_000, 0),
    // Carried forward: no volume, and the close of the day before.
    bar('2026-11-19', 591, 0, 591),
    // The session that is open.
    bar('2026-11-20', 592, 50),
  ];
  const answer = fixed(200, {}, JSON.stringify(bars));
  assert.deepEqual(await history('GGAL', answer), [
    ['2026-11-16', 5_900, 100],
    ['2026-11-17', 590, 900],
    ['2026-11-18', 591, 1_000],
    'not-traded',
  ]);
});

test('data912: bars without a price, at a weekend, in the future or of no day are rejected', async () => {
  const bars = [
    bar('2026-11-13', null, 100),
    bar('2026-11-14', 5_900, 100),
    bar('2026-12-01', 5_900, 100),
    bar('0001-01-01', 5_900, 100),
    bar('2026-11-17', 0, 100),
    bar('2026-02-30', 5_900, 100),
    bar('2026-11-16', 5_900, 100),
    'bar',
  ];
  const answer = fixed(200, {}, JSON.stringify(bars));
  assert.deepEqual((await history('GGAL', answer)).map(String), [
    '2026-11-16,5900,100',
    'no-price',
    'bad-instant',
    'bad-instant',
    'bad-instant',
    'no-price',
    'unintelligible',
    'unintelligible',
  ]);
});

test('data912: an instrument that the source does not have is no fault, in both of its forms', async () => {
  const error = JSON.stringify({ Error: 'unknown' });
  for (const answer of [fixed(200, {}, error), fixed(404, {}, '{"detail":"Not Found"}')]) {
    assert.deepEqual(await history('GGAL', answer), ['not-offered']);
  }
});

test('data912: every kind of instrument has the history of its own panel', async () => {
  const asked = { from: '2026-11-01', to: '2026-11-20', respond: fixed(200, {}, '[]') };
  const played = await Promise.all(
    ['GGAL', 'GLOB', 'AL30', 'GLOB_US'].map((ticker) =>
      playHistory({ type: data912Type, universe, now }, { ticker, ...asked }),
    ),
  );
  assert.deepEqual(
    played[0]?.instruments,
    universe.instruments.map(({ ticker }) => ticker).filter((ticker) => ticker !== 'SPY_US'),
  );
  assert.deepEqual(
    played.flatMap(({ urls }) => urls),
    [
      '/historical/stocks/GGAL',
      '/historical/cedears/GLOB',
      '/historical/bonds/AL30',
      '/historical/usa_stocks/GLOB',
    ],
  );
});

test('data912: the recorded history of September 2026 and the recorded error are read as they are', async (t) => {
  const folder = sharedOrSkip(t, 'payloads/data912');
  if (folder === undefined) return;
  const recordingOf = (name: string) => fixed(200, {}, readFileSync(join(folder, name), 'utf8'));
  const bars = recordingOf('historical-cedears-AMZN-20260914-20260925.json');
  const recordedCloses = await history('GLOB', bars);
  assert.equal(recordedCloses.length, 10);
  assert.deepEqual(recordedCloses[0], ['2026-09-14', 2_815, 723_725]);
  assert.deepEqual(recordedCloses.at(-1), ['2026-09-25', 2_820, 1_354_493]);
  const error = recordingOf('error-unknown-ticker.json');
  assert.deepEqual(await history('GLOB', error), ['not-offered']);
});

/** A universe of the symbols of a recorded panel. */
const recorded: readonly (readonly [PanelName, InstrumentSketch['kind'], readonly string[]])[] = [
  ['arg_stocks', 'share', ['GGAL', 'GGALD', 'PAMP', 'YPFD', 'YPFDD']],
  ['arg_bonds', 'bond', ['AL30', 'AL30C', 'AL30D', 'T15E7']],
  ['arg_notes', 'bill', ['D15E7', 'D30N6', 'BGD26']],
  ['arg_corp', 'corporate-bond', ['YM39O', 'VSCRO', 'HVS1O']],
  ['arg_cedears', 'cedear', ['AMZN', 'DIA', 'SPY']],
];

test('data912: the recorded panels of 28 September 2026 hold the prices of that day', (t) => {
  const prices: Record<string, readonly unknown[]> = {};
  for (const [name, kind, tickers] of recorded) {
    const file = sharedOrSkip(t, `payloads/data912/live-${name}-20260928.json`);
    if (file === undefined) return;
    const { instruments } = makeUniverse(
      tickers.map((ticker) => ({ ticker, ...(kind === undefined ? {} : { kind }) })),
    );
    const sent: unknown = JSON.parse(readFileSync(file, 'utf8'));
    assert.ok(Array.isArray(sent));
    const { rows, rejected } = mapPanel(sent, {
      tickers: tickersOfPanel(name, instruments),
      at: 1,
    });
    for (const one of rows) {
      prices[one.ticker] = [one.last, one.volume, one.trades];
      assert.ok(one.bid !== undefined || one.bidSize === 0, one.ticker);
      assert.ok(one.ask !== undefined || one.askSize === 0, one.ticker);
      assert.ok(one.bid === undefined || Math.abs(one.bid / (one.last ?? 0) - 1) < 0.2, one.ticker);
    }
    assert.deepEqual(new Set(rejected.map(({ reason }) => reason)), new Set(['no-instrument']));
  }
  assert.deepEqual(prices, {
    GGAL: [6_005, 6_446_689, 10_951],
    GGALD: [3.88, 1_032_416, 1_744],
    PAMP: [4_967.5, 1_225_513, 4_756],
    YPFD: [8_305, 3_108_697, 11_360],
    YPFDD: [5.35, 190_448, 1_294],
    AL30: [83_940, 233_049_075, 71_245],
    AL30C: [51.75, 161_593_289, 32_140],
    AL30D: [53.97, 175_285_452, 52_931],
    T15E7: [149.649, 1_955_947_772, 295],
    D15E7: [149_320, 37_319, 8],
    D30N6: [151_200, 9_574_696, 129],
    BGD26: [101.45, 0, 1],
    YM39O: [170_750, 112_114, 175],
    VSCRO: [167_000, 310_142, 308],
    HVS1O: [160_000, 0, 1],
    AMZN: [2_775, 1_007_760, 3_863],
    DIA: [41_640, 11_181, 376],
    SPY: [20_700, 340_748, 6_872],
  });
});
