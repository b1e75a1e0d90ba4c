import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { alpacaType, mapAlpaca, mapBars } from '../../../src/feeds/sources/alpaca.ts';
import { FeedFault } from '../../../src/feeds/contract/feed.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type Responder } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { playHistory, testHistoryFaults, testSocketSource } from './source-suite.ts';

const start = Date.parse('2026-11-20T18:00:00Z');

const config = { key: { env: 'SOURCE_KEY' }, secret: { env: 'SOURCE_SECRET' } };

const universe = makeUniverse([
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'SQ_US', market: 'NYSE' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE' },
  { ticker: 'X_US', market: 'NYSE' },
  { ticker: 'AAPL', kind: 'cedear' },
]);

/** A trade as the source sends it, with made-up values. */
function trade(S: string, afterMs: number, p: unknown, c: unknown = ['@']): object {
  const t = new Date(start + afterMs).toISOString().replace('Z', '448206Z');
  return { T: 't', i: afterMs, S, x: 'V', p, s: 100, c, z: 'C', t };
}

function update(ticker: string, afterMs: number, last: number): Update {
  return { ticker: ticker as Ticker, at: start + afterMs, last };
}

testSocketSource({
  type: alpacaType,
  universe,
  config: { ...config, instruments: { exclude: ['SPY_US'] } },
  now: start + 10_000,
  subscriptions: 1,
  frames: [
    JSON.stringify([{ T: 'success', msg: 'connected' }]),
    JSON.stringify([{ T: 'success', msg: 'authenticated' }]),
    JSON.stringify([{ T: 'subscription', trades: ['AAPL', 'XYZ'], corrections: ['AAPL'] }]),
    JSON.stringify([trade('AAPL', 0, 212), trade('XYZ', 10, 70.5)]),
    // An odd lot and a trade outside the session set no last price.
    JSON.stringify([trade('AAPL', 500, 250, ['@', 'I']), trade('AAPL', 600, 150, ['@', 'T'])]),
    JSON.stringify([trade('AAPL', 1_000, 213.25), trade('SPY', 1_001, 600)]),
    JSON.stringify([{ T: 'x', S: 'AAPL', i: 1, p: 99, s: 1, a: 'C', t: '2026-11-20T18:00:01Z' }]),
    JSON.stringify([trade('AAPL', 2_000, 211.5, ['@', 'F'])]),
    JSON.stringify([trade('AAPL', 3_000, 212.25, [' '])]),
  ],
  expected: [
    update('AAPL_US', 0, 212),
    update('SQ_US', 10, 70.5),
    update('AAPL_US', 1_000, 213.25),
    update('AAPL_US', 2_000, 211.5),
    update('AAPL_US', 3_000, 212.25),
  ],
});

const tickers = new Map([['AAPL', 'AAPL_US' as Ticker]]);

test('alpaca: an error of the source decides when the feed connects again', () => {
  for (const [code, expected] of [
    [400, 'invalid-request'],
    [401, 'refused'],
    [402, 'refused'],
    [404, 'refused'],
    [405, 'invalid-request'],
    [406, 'unavailable'],
    [407, 'unavailable'],
    [409, 'refused'],
    [500, 'unavailable'],
    [999, 'unavailable'],
    ['x', 'unavailable'],
  ] as const) {
    const text = JSON.stringify([{ T: 'error', code, msg: 'echoes a-key' }]);
    assert.throws(
      () => mapAlpaca(text, tickers),
      (fault) =>
        fault instanceof FeedFault && fault.code === expected && !/a-key/.test(fault.message),
      text,
    );
  }
});

test('alpaca: an instant, a price or conditions that cannot be right are rejected, others are not', () => {
  for (const [change, reason] of [
    [{ t: '0001-01-01T00:00:00Z' }, 'bad-instant'],
    [{ t: '1970-01-01T00:00:00Z' }, 'bad-instant'],
    [{ t: 1_795_197_600 }, 'bad-instant'],
    [{ t: undefined }, 'bad-instant'],
    [{ p: 0 }, 'no-price'],
    [{ p: -1 }, 'no-price'],
    [{ p: '212' }, 'no-price'],
    [{ c: undefined }, 'unintelligible'],
    [{ S: 7 }, 'unintelligible'],
    [{ T: 'q' }, 'unintelligible'],
    [{ S: 'MSFT' }, 'no-instrument'],
  ] as const) {
    const items = [{ ...trade('AAPL', 0, 212), ...change }, trade('AAPL', 5, 213)];
    const mapped = mapAlpaca(JSON.stringify(items), tickers);
    assert.deepEqual(mapped.updates, [update('AAPL_US', 5, 213)]);
    assert.deepEqual(
      mapped.rejected.map((one) => one.reason),
      [reason],
      JSON.stringify(change),
    );
  }
});

test('alpaca: the files of the keys are named, so that they can be read', () => {
  const parsed = alpacaType.schema.parse({
    name: 'alpaca',
    type: 'alpaca',
    key: { file: 'alpaca.key' },
    secret: { env: 'SOURCE_SECRET' },
  });
  assert.deepEqual(alpacaType.files?.(parsed), ['alpaca.key']);
});

/** What the history source says about one instrument when the server answers in this way. */
function history(respond: Responder, now = start) {
  const asked = { ticker: 'AAPL_US', from: '2026-11-16', to: '2026-11-20', respond };
  return playHistory({ type: alpacaType, universe, now, config }, asked);
}

testHistoryFaults(alpacaType, (respond) => history(respond));

function bar(date: string, c: number): object {
  return { t: `${date}T05:00:00Z`, o: 210, h: 214, l: 209, c, v: 5_000, n: 9, vw: 211 };
}

test('alpaca: history follows the pages and gives the closes of ended sessions, as traded', async () => {
  const prices = { volume: 5_000, open: 210, high: 214, low: 209 };
  const { requests, closes, rejected } = await history((request, response) => {
    const isSecond = request.url.includes('page_token=cGFnZQ%3D%3D');
    const page = isSecond
      ? { bars: { AAPL: [bar('2026-11-19', 213), bar('2026-11-20', 214)] }, next_page_token: null }
      : { bars: { AAPL: [bar('2026-11-17', 212)] }, next_page_token: 'cGFnZQ==' };
    response.end(JSON.stringify(page));
  });
  assert.deepEqual(closes, [
    { date: '2026-11-17', close: 212, ...prices },
    { date: '2026-11-19', close: 213, ...prices },
  ]);
  assert.deepEqual(rejected, []);
  const url = new URL(requests[0]?.url ?? '', 'http://localhost');
  assert.deepEqual(
    [url.pathname, Object.fromEntries(url.searchParams)],
    [
      '/v2/stocks/bars',
      {
        symbols: 'AAPL',
        timeframe: '1Day',
        start: '2026-11-16T05:00:00.000Z',
        // Data of all exchanges must be older than 15 minutes.
        end: '2026-11-20T17:44:00.000Z',
        adjustment: 'raw',
        feed: 'sip',
        limit: '10000',
      },
    ],
  );
  assert.equal(requests.length, 3);
  const { headers } = requests[0] ?? {};
  assert.equal(headers?.['apca-api-key-id'], headers?.['apca-api-secret-key']);
  assert.ok(!url.search.includes(String(headers?.['apca-api-key-id'])));
});

test('alpaca: the corporate actions of the range come with the history, under the name of the feed', async () => {
  const lists = {
    forward_splits: [{ symbol: 'AAPL', new_rate: 4, old_rate: 1, ex_date: '2026-11-18' }],
    cash_dividends: [{ symbol: 'AAPL', rate: 0.24, ex_date: '2026-11-17' }, { symbol: 'AAPL' }],
  };
  const { requests, actions, rejected } = await history((request, response) => {
    const isBars = request.url.startsWith('/v2/');
    const page = isBars ? { bars: { AAPL: [] } } : { corporate_actions: lists };
    response.end(JSON.stringify({ ...page, next_page_token: null }));
  });
  const url = new URL(requests[1]?.url ?? '', 'http://localhost');
  assert.deepEqual(
    [url.pathname, Object.fromEntries(url.searchParams)],
    [
      '/v1/corporate-actions',
      {
        symbols: 'AAPL',
        types: 'forward_split,reverse_split,stock_dividend,cash_dividend',
        start: '2026-11-16',
        end: '2026-11-20',
        limit: '1000',
      },
    ],
  );
  const common = { ticker: 'AAPL_US', source: 'tested' };
  assert.deepEqual(
    actions?.map(({ exDay, ...action }) => ({ date: fromEpochDay(exDay), ...action })),
    [
      { date: '2026-11-18', ...common, type: 'split', factor: 4 },
      { date: '2026-11-17', ...common, type: 'cash-dividend', amount: 0.24, currency: 'USD' },
    ],
  );
  assert.deepEqual(rejected, ['unintelligible']);
});

/** Responds with one bar, and with this status to a request for corporate actions. */
const actionsWith =
  (status: number): Responder =>
  (request, response) => {
    response.statusCode = request.url.startsWith('/v2/') ? 200 : status;
    const page = { bars: { AAPL: [bar('2026-11-17', 212)] }, next_page_token: null };
    response.end(JSON.stringify(page));
  };

test('alpaca: actions that the source does not give leave the closes as they are, and a fault is one', async () => {
  const { closes, actions } = await history(actionsWith(400));
  assert.deepEqual([closes.length, actions], [1, []]);
  await assert.rejects(history(actionsWith(429)), { code: 'limited' });
});

test('alpaca: a history without bars is empty, and a symbol that is refused is named as missing', async () => {
  const empty = await history(fixed(200, {}, '{"bars":{},"next_page_token":null}'));
  assert.deepEqual([empty.closes, empty.rejected], [[], []]);
  const unknown = await history(fixed(400, {}, '{"message":"invalid symbol"}'));
  assert.deepEqual([unknown.closes, unknown.rejected], [[], ['not-offered']]);
});

test('alpaca: a range that has not begun is not requested', async () => {
  const { requests, closes } = await history(fixed(500), Date.parse('2026-11-16T05:10:00Z'));
  assert.deepEqual([requests.length, closes], [0, []]);
});

test('alpaca: other bars, and pages without an end, are a fault', async () => {
  const page = JSON.stringify({ bars: { AAPL: [] }, next_page_token: 'again' });
  for (const body of ['[]', '{"bars":{"AAPL":7}}', page]) {
    await assert.rejects(history(fixed(200, {}, body)), { code: 'unintelligible' });
  }
});

test('alpaca: recorded bars are read', (t) => {
  const path = sharedOrSkip(t, 'payloads/alpaca');
  if (path === undefined) return;
  const read = (file: string) => {
    const body: unknown = JSON.parse(readFileSync(join(path, file), 'utf8'));
    return mapBars(body, 'AAPL', (at) => new Date(at).toISOString().slice(0, 10) as PlainDate);
  };
  const { bars, nextPage } = read('get_bars.json');
  assert.deepEqual(fieldsIn(bars, 'date', 'close', 'volume'), [
    '2022-02-01 174.61 85998033',
    '2022-02-02 175.84 84817432',
  ]);
  assert.equal(nextPage, 'QUFQTHxEfDIwMjItMDItMDJUMDU6MDA6MDAuMDAwMDAwMDAwWg==');
  assert.deepEqual(read('get_bars_single_empty_response.json'), { bars: [], nextPage: undefined });
});
