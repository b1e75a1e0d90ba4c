import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay, PlainDate } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { makeQuote } from '../../../domain/quotes/quote.ts';
import { sampleUniverse } from '../../../../test/support/market/sample-market.ts';
import { barOfQuote, barsJson, barsOfCloses, barsWithin, type ChartBars } from './history.ts';

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

/** Rows of open, high, low, close and volume, on the first days of 1970. */
function closesOf(ticker: string, rows: readonly (readonly number[])[], adjustedRows = 0) {
  const column = (at: number): Float64Array => Float64Array.from(rows, (row) => row[at] ?? unknown);
  return shown(
    barsOfCloses(instrumentOf(ticker), {
      days: Int32Array.from(rows, (_, row) => row),
      opens: column(0),
      highs: column(1),
      lows: column(2),
      closes: column(3),
      volumes: column(4),
      adjustedRows,
      unapplied: [],
    }),
  );
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
  assert.deepEqual(closesOf('CAUCION 1D', [row, row], 1), [
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
  assert.deepEqual(shown(barOfQuote(quoteOf({}))), ['864000 11 11 11 11 0 -']);
  const whole = { open: 10, high: 12, low: 9, volume: 7.5 };
  assert.deepEqual(shown(barOfQuote(quoteOf(whole))), ['864000 10 12 9 11 7.5']);
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
  const bars = barOfQuote(makeQuote(instrument, { version: 1, session, references: {} }));
  return Object.keys(JSON.parse(barsJson(instrument, bars, { first: 0, end: 1 })) as object);
}

test('contract 4.15.8: members without any value are left out', () => {
  assert.deepEqual(membersOf('GGAL', 10), ['s', 't', 'o', 'h', 'l', 'c', 'v']);
  assert.deepEqual(membersOf('GGAL', undefined), ['s', 't', 'c', 'v']);
  assert.deepEqual(membersOf('RIESGO PAIS', 10), ['s', 't', 'o', 'h', 'l', 'c']);
  assert.deepEqual(membersOf('RIESGO PAIS', undefined), ['s', 't', 'c']);
});
