import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay, PlainDate } from '../../../domain/calendar/plain-date.ts';
import type { Period } from '../../../domain/history/periods.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { makeQuote } from '../../../domain/quotes/quote.ts';
import { sampleUniverse } from '../../../../test/support/market/sample-market.ts';
import { barsJson, barsOfCloses, barsWithin, barsWithSession, type ChartBars } from './history.ts';

function instrumentOf(ticker: string) {
  return sampleUniverse.get(ticker as Ticker);
}

/** Each bar as `t o h l c v`, with a sign behind if its open, high and low are only the close. */
function shown(bars: ChartBars): readonly string[] {
  return Array.from({ length: bars.length }, (_, at) => {
    const { t, o, h, l, c, v, hasRange } = bars.cells(at);
    assert.equal(t, String(bars.start(at)));
    return [t, o, h, l, c, v].join(' ') + (hasRange ? '' : ' -');
  });
}

const unknown = Number.NaN;

/** Rows of open, high, low, close and volume, on days from the first one of 1970 on. */
function seriesOf(rows: readonly (readonly number[])[], adjustedRows = 0) {
  const column = (at: number): Float64Array => Float64Array.from(rows, (row) => row[at] ?? unknown);
  return {
    days: Int32Array.from(rows, (_, row) => row),
    opens: column(0),
    highs: column(1),
    lows: column(2),
    closes: column(3),
    volumes: column(4),
    adjustedRows,
    unapplied: [],
  };
}

function closesOf(
  ticker: string,
  rows: readonly (readonly number[])[],
  { adjustedRows = 0, period = 'day' }: { adjustedRows?: number; period?: Period } = {},
) {
  return shown(barsOfCloses(instrumentOf(ticker), seriesOf(rows, adjustedRows), period));
}

test('contract 4.15.8: what a row does not know is replaced, and a high and a low contain the close', () => {
  assert.deepEqual(
    closesOf('GGAL', [
      [10, 12, 9, 11, 100],
      [unknown, unknown, unknown, 11, unknown],
      [10, unknown, unknown, 11, 0],
      [12, unknown, unknown, 11, 0],
      [unknown, 13, unknown, 11, 5],
      [unknown, unknown, 8, 11, 5],
      [10, 10.5, 10.25, 11, 5],
      [12, 10, 11.5, 11, 5],
    ]),
    [
      '0 10 12 9 11 100',
      '86400 11 11 11 11 0 -',
      '172800 10 11 10 11 0',
      '259200 12 12 11 11 0',
      '345600 11 13 11 11 5',
      '432000 11 11 8 11 5',
      '518400 10 11 10 11 5',
      '604800 12 12 11 11 5',
    ],
  );
});

test('contract 4.15.8: an adjusted value keeps its decimals, one as traded has those of its instrument', () => {
  const row = [1.123_456, 1.123_456, 1.123_456, 1.123_456, 1.5];
  assert.deepEqual(closesOf('CAUCION 1D', [row, row], { adjustedRows: 1 }), [
    '0 1.123456 1.123456 1.123456 1.123456 1.5',
    '86400 1.12 1.12 1.12 1.12 1.5',
  ]);
});

test('contract 4.15.8: the session of a quote is one bar at 00:00 UTC of its date', () => {
  const session = { sessionDate: '1970-01-11' as PlainDate, last: 11, volume: null };
  const quoteOf = (more: object) =>
    makeQuote(instrumentOf('GGAL'), {
      version: 1,
      session: { ...session, ...more },
      references: {},
    });
  const barsOf = (more: object) =>
    shown(
      barsWithSession(instrumentOf('GGAL'), seriesOf([]), { period: 'day', quote: quoteOf(more) }),
    );
  assert.deepEqual(barsOf({}), ['864000 11 11 11 11 0 -']);
  const whole = { open: 10, high: 12, low: 9, volume: 7.5 };
  assert.deepEqual(barsOf(whole), ['864000 10 12 9 11 7.5']);
});

test('contract 4.15.7: a week starts at its first session, and contains the session of the quote', () => {
  // 1970-01-05, the fifth day, is a Monday.
  const rows = Array.from({ length: 6 }, (_, day) => [10 + day, 20 + day, 5, 12 + day, 100]);
  assert.deepEqual(closesOf('GGAL', rows, { period: 'week' }), [
    '0 10 23 5 15 400',
    '345600 14 25 5 17 200',
  ]);
  const session = { sessionDate: '1970-01-07' as PlainDate, last: 30, high: 31, volume: 50 };
  const quote = makeQuote(instrumentOf('GGAL'), { version: 1, session, references: {} });
  const bars = barsWithSession(instrumentOf('GGAL'), seriesOf(rows), { period: 'week', quote });
  assert.equal(shown(bars)[1], '345600 14 31 5 30 250');
});

test('contract 4.15.8: a bar within a session starts at its minute, and its volume has 8 decimals at most', () => {
  const bar = { day: 0 as EpochDay, minute: 61, open: 1, high: 4, low: 0.5, last: 2 };
  const bars = [
    { ...bar, volume: 0.123_456_789 },
    { ...bar, minute: 62, volume: null },
  ];
  assert.deepEqual(shown(barsWithin(instrumentOf('BTC'), bars)), [
    '3660 1 4 0.5 2 0.12345679',
    '3720 1 4 0.5 2 0',
  ]);
});

/** The members of a response with the session of a quote. */
function membersOf(ticker: string, open: number | undefined): readonly string[] {
  const instrument = instrumentOf(ticker);
  const session = { sessionDate: '1970-01-11' as PlainDate, last: 11, volume: null, open };
  const quote = makeQuote(instrument, { version: 1, session, references: {} });
  const bars = barsWithSession(instrument, seriesOf([]), { period: 'day', quote });
  return Object.keys(JSON.parse(barsJson(instrument, bars, { first: 0, end: 1 })) as object);
}

test('contract 4.15.8: members without any value are left out', () => {
  assert.deepEqual(membersOf('GGAL', 10), ['s', 't', 'o', 'h', 'l', 'c', 'v']);
  assert.deepEqual(membersOf('GGAL', undefined), ['s', 't', 'c', 'v']);
  assert.deepEqual(membersOf('RIESGO PAIS', 10), ['s', 't', 'o', 'h', 'l', 'c']);
  assert.deepEqual(membersOf('RIESGO PAIS', undefined), ['s', 't', 'c']);
});
