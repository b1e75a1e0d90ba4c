import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarketCalendars } from '../../../src/domain/instruments/market-calendars.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { cnbcType, mapQuotes } from '../../../src/feeds/sources/cnbc.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { testPolledSource } from './source-suite.ts';

const universe = makeUniverse([
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE' },
  { ticker: 'BRK.B_US', market: 'NYSE' },
  { ticker: 'DESP_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'GGAL' },
]);

/** 13:00 in New York. */
const now = Date.parse('2026-11-20T18:00:00Z');

type Row = Readonly<Record<string, unknown>>;

/** A quote as the source sends it during a session, with made-up values. */
function quote(symbol: string, more: Row = {}): Row {
  return {
    symbol,
    symbolType: 'symbol',
    code: 0,
    name: `${symbol} Inc`,
    last: '1,212.25',
    last_timedate: '12:59 PM EST',
    last_time: '2026-11-20T12:59:41.000-0500',
    exchange: 'NASDAQ',
    source: 'Last NASDAQ LS, VOL From CTA',
    open: '1,210.50',
    high: '1,213.00',
    low: '1,209.00',
    change: '-0.19',
    change_pct: '-0.51%',
    currencyCode: 'USD',
    volume: '2,867,801',
    volume_alt: '2.9M',
    previous_day_closing: '1,300.00',
    realTime: 'true',
    curmktstatus: 'REG_MKT',
    countryCode: 'US',
    ...more,
  };
}

function body(quotes: unknown): object {
  return { FormattedQuoteResult: { FormattedQuote: quotes } };
}

const state = { last: 1_212.25, open: 1_210.5, high: 1_213, low: 1_209, volume: 2_867_801 };
const at = Date.parse('2026-11-20T17:59:41Z');

testPolledSource({
  type: cnbcType,
  universe,
  now,
  respond: ({ url, headers }) =>
    url ===
      '/quote-html-webservice/restQuote/symbolType/symbol?symbols=AAPL%7CSPY%7CBRK.B' +
        '&requestMethod=itv&noform=1&partnerId=2&fund=1&exthrs=1&output=json' &&
    headers['user-agent']?.startsWith('Mozilla/5.0') === true
      ? { body: JSON.stringify(body(['AAPL', 'SPY', 'BRK.B'].map((symbol) => quote(symbol)))) }
      : undefined,
  emptyBodies: [
    '[]',
    JSON.stringify(body([])),
    JSON.stringify(body(null)),
    '{"ITVQuoteResult":{}}',
    '{"FormattedQuoteResult":{}}',
  ],
  expected: ['AAPL_US', 'SPY_US', 'BRK.B_US'].map((ticker) => {
    return { ticker: ticker as Ticker, at, ...state };
  }),
});

const calendars = new MarketCalendars(universe);
const symbols = universe.instruments.slice(0, 2).map((instrument) => {
  const { ticker } = instrument;
  return { ticker, symbol: ticker.slice(0, -3), calendar: calendars.of(instrument) };
});

/** What quotes give: updates without their ticker, and reasons by symbol. */
function mapped(...quotes: readonly unknown[]): readonly unknown[] {
  const { updates, rejected } = mapQuotes(body(quotes), { symbols, now });
  return [
    ...updates.map((update) =>
      Object.fromEntries(Object.entries(update).filter(([field]) => field !== 'ticker')),
    ),
    ...rejected.map(({ reason, symbol }) => `${symbol} ${reason}`),
  ];
}

test('cnbc: after the close only the date of a session is given: the price is that of its close', () => {
  const close = Date.parse('2026-11-19T21:00:00Z');
  const extended = { type: 'PRE_MKT', last: '1,500.00', last_time: '2026-11-20T08:00:00.000-0500' };
  const [update] = mapped(
    quote('AAPL', { last_time: '2026-11-19', ExtendedMktQuote: extended }),
    quote('SPY'),
  ) as readonly { readonly at: number; readonly last: number }[];
  assert.ok(update !== undefined);
  assert.ok(Math.abs(update.at - close) <= 1_000, new Date(update.at).toISOString());
  assert.equal(update.last, 1_212.25, 'the price before the open is not used');
});

test('cnbc: a single quote comes without a list', () => {
  const { updates } = mapQuotes(body(quote('AAPL')), { symbols, now });
  assert.deepEqual(updates, [{ ticker: 'AAPL_US', at, ...state }]);
});

test('cnbc: a symbol that is missing, unknown or not requested is rejected by name', () => {
  assert.deepEqual(mapped(quote('AAPL'), { symbol: 'SPY', code: 1, last: null }, quote('BTC')), [
    { at, ...state },
    'SPY not-offered',
    'BTC no-instrument',
  ]);
  assert.deepEqual(mapped(quote('AAPL'), null, 7, {}), [{ at, ...state }, 'SPY incomplete']);
});

test('cnbc: what is missing or 0 is left out', () => {
  const more = { open: '0.00', high: undefined, low: 'UNCH', volume: undefined };
  assert.deepEqual(mapped(quote('AAPL', more), quote('SPY', { volume: 'N/A' })), [
    { at, last: 1_212.25 },
    { at, last: 1_212.25, open: 1_210.5, high: 1_213, low: 1_209 },
  ]);
});

test('cnbc: another security, a delayed quote, and values that cannot be right are rejected', () => {
  for (const [more, reason] of [
    [{ currencyCode: 'CAD' }, 'unintelligible'],
    [{ countryCode: 'CA' }, 'unintelligible'],
    [{ realTime: 'false' }, 'outdated'],
    [{ realTime: undefined }, 'outdated'],
    [{ last: 'UNCH' }, 'no-price'],
    [{ last: '0.00' }, 'no-price'],
    [{ last: '-1.5' }, 'no-price'],
    [{ last: '1,21.5' }, 'no-price'],
    [{ last: 1_212.25 }, 'no-price'],
    [{ last: undefined }, 'no-price'],
    [{ last_time: undefined }, 'bad-instant'],
    [{ last_time: '12:59 PM EST' }, 'bad-instant'],
    // A Saturday, and a session that has not closed.
    [{ last_time: '2026-11-14' }, 'bad-instant'],
    [{ last_time: '2026-11-20' }, 'bad-instant'],
    [{ last_time: '2026-11-20T14:00:00.000-0500' }, 'bad-instant'],
    [{ volume: '0' }, 'not-traded'],
  ] as const) {
    assert.deepEqual(
      mapped(quote('AAPL', more), quote('SPY')).slice(1),
      [`AAPL ${reason}`],
      JSON.stringify(more),
    );
  }
});
