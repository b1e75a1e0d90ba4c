import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { closeOn } from '../../test/support/market/close-on.ts';
import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { StoredQuote } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';

/** Contract 2.6.1: an update outside the hours of its market changes nothing. */

const minuteMs = 60_000;
const options = { settleDelayMs: 15 * minuteMs, nextVersion: 1 };
const oneShare = makeUniverse([{ ticker: 'GGAL' }]);

test('contract 2.6.1: before the open, after the settle delay, at a weekend and on a holiday, an update changes no quote and no close', () => {
  const engine = new Engine(oneShare, options);
  // 2026-11-20 is a Friday. Monday the 23rd is a holiday.
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100, volume: 5_000_000 }));
  engine.settle(at('2026-11-20', '17:15'));
  const before = latest(engine, 'GGAL');
  for (const [date, time] of [
    ['2026-11-20', '10:29'],
    ['2026-11-20', '17:16'],
    ['2026-11-20', '23:59'],
    ['2026-11-21', '12:00'],
    ['2026-11-23', '12:00'],
    ['2026-11-24', '10:29'],
  ] as const) {
    const instant = at(date, time);
    const late = update('GGAL', instant, { last: 207, high: 300, low: 1, open: 2, volume: 1200 });
    const changes = apply(engine, late);
    assert.equal(changes.outcome, 'off-hours', `${date} ${time}`);
    assert.deepEqual(
      [changes.quotes, changes.stored, changes.closes],
      [[], [], []],
      `${date} ${time}`,
    );
    assert.deepEqual(engine.settle(instant).closes, [], `${date} ${time}`);
    assert.equal(latest(engine, 'GGAL'), before, `${date} ${time}`);
  }
  apply(engine, update('GGAL', at('2026-11-24', '10:30'), { last: 110 }));
  const quote = latest(engine, 'GGAL');
  assert.deepEqual([quote?.sessionDate, quote?.previousClose], ['2026-11-24', 100]);
});

test('contract 2.6.1: date and time of a quote are always an instant within its session', () => {
  const tickers = ['GGAL', 'AAPL_US', 'BTC'] as const;
  const universe = makeUniverse([
    { ticker: 'GGAL' },
    { ticker: 'AAPL_US', market: 'NYSE' },
    { ticker: 'BTC', market: 'CRIPTO' },
  ]);
  const engine = new Engine(universe, options);
  const start = at('2026-11-20', '00:00');
  const instants = fc
    .array(fc.integer({ min: 0, max: 7 * 24 * 60 }), { minLength: 50, maxLength: 200 })
    .map((minutes) => minutes.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(instants, fc.boolean(), (minutes, isClose) => {
      for (const [index, minute] of minutes.entries()) {
        const instant = start + minute * minuteMs;
        const ticker = tickers[index % 3] ?? 'BTC';
        const fields = isClose && index % 5 === 0 ? { close: 100 + index } : { last: 100 + index };
        apply(engine, update(ticker, instant, fields));
        const { asOf, sessionDate } = latest(engine, ticker) ?? {};
        if (asOf === undefined) continue;
        const local = new Date(asOf - 180 * minuteMs).toISOString();
        assert.equal(local.slice(0, 10), sessionDate);
        const [open, end] = { GGAL: ['10:30', '17:15'], AAPL_US: ['11:30', '18:15'], BTC: [] }[
          ticker
        ];
        if (open === undefined || end === undefined) continue;
        assert.ok(local.slice(11, 16) >= open && local.slice(11, 16) <= end, `${ticker} ${local}`);
      }
    }),
    { numRuns: 20 },
  );
});

test('a derived instrument has the hours of its own market, not those of its inputs', () => {
  const universe = makeUniverse([
    { ticker: 'GGAL' },
    { ticker: 'GGAL_US', market: 'NYSE' },
    {
      ticker: 'CCL',
      kind: 'exchange-rate',
      derivation: {
        type: 'ratio',
        numerator: 'GGAL' as Ticker,
        denominator: 'GGAL_US' as Ticker,
      },
    },
  ]);
  const engine = new Engine(universe, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 9000 }));
  apply(engine, update('GGAL_US', at('2026-11-20', '17:14'), { last: 60 }));
  assert.equal(latest(engine, 'CCL')?.last, 150);
  // New York trades until 18:00 Buenos Aires time. The derived rate's market closed at 17:00.
  apply(engine, update('GGAL_US', at('2026-11-20', '17:30'), { last: 50 }));
  assert.equal(latest(engine, 'GGAL_US')?.last, 50);
  assert.equal(latest(engine, 'CCL')?.last, 150);
  assert.deepEqual(latest(engine, 'CCL')?.asOf, at('2026-11-20', '16:59'));
});

/** A quote of Friday with a given instant. */
function storedAsOf(asOf: number): StoredQuote {
  return {
    ticker: 'GGAL' as Ticker,
    version: 7,
    session: {
      sessionDate: '2026-11-20' as PlainDate,
      asOf,
      last: 100,
      volume: 5,
      openAt: null,
      isInHistory: true,
      historyClose: 100,
    },
    references: { previous: closeOn('2026-11-19', 90) },
  };
}

test('a quote stored by an earlier release with an instant outside its session gets an instant within it, under a new version', () => {
  const engine = new Engine(oneShare, options);
  engine.restore([storedAsOf(at('2026-11-21', '12:00'))]);
  const { quotes } = engine.settle(at('2026-11-21', '12:01'));
  assert.deepEqual(
    quotes.map(({ version, asOf, last }) => [version, asOf, last]),
    [[8, at('2026-11-20', '17:00'), 100]],
  );
  const within = new Engine(oneShare, options);
  within.restore([storedAsOf(at('2026-11-20', '17:10'))]);
  assert.deepEqual(within.settle(at('2026-11-21', '12:01')).quotes, []);
  assert.equal(latest(within, 'GGAL')?.version, 7);
});

test('a session that ends at midnight has its last instant on its own day', () => {
  const universe = makeUniverse([{ ticker: 'BTC', market: 'CRIPTO' }]);
  const engine = new Engine(universe, options);
  engine.restore([
    {
      ticker: 'BTC' as Ticker,
      version: 1,
      session: {
        sessionDate: '2026-11-20' as PlainDate,
        asOf: at('2026-11-21', '00:05'),
        last: 100,
        volume: null,
        openAt: null,
        isInHistory: false,
        historyClose: null,
      },
      references: {},
    },
  ]);
  const { quotes, closes } = engine.settle(at('2026-11-21', '00:15'));
  assert.equal(quotes[0]?.asOf, at('2026-11-21', '00:00') - 1);
  assert.equal(closes[0]?.close.day, toEpochDay('2026-11-20' as PlainDate));
});
