import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { TradeDetector } from './trade-detector.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'YPFD' },
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'MERVAL', kind: 'index' },
]);

/** An instant of Buenos Aires time. 20 November 2026 is a Friday, the 23rd is a holiday of BYMA. */
function at(time: string, date = '2026-11-20'): number {
  return Date.parse(`${date}T${time}:00-03:00`);
}

/** A row by ticker, last price, volume and number of trades. */
type Row = readonly [string, number | undefined, number?, number?];

/** Feeds snapshots to a detector and says which prices each of them gives. */
function detect(
  snapshots: readonly (readonly [number, ...Row[]])[],
  options = { isResetAsWhole: false },
): readonly string[] {
  const detector = new TradeDetector(universe, options);
  return snapshots.map(([snapshotAt, ...rows]) => {
    const given = rows.map(([ticker, last, volume, trades]): Update => {
      const update = {
        ticker: ticker as Ticker,
        at: snapshotAt,
        ...(last === undefined ? {} : { last }),
        ...(volume === undefined ? {} : { volume }),
        ...(trades === undefined ? {} : { trades }),
      };
      return update;
    });
    const { updates, rejected } = detector.detect(given, snapshotAt);
    return [
      ...updates.map(({ ticker, last }) => `${ticker} ${last}`),
      ...rejected.map(({ reason, symbol = 'snapshot' }) => `${symbol} ${reason}`),
    ].join(', ');
  });
}

test("yesterday's prices, repeated before and after the open, give nothing", () => {
  const yesterday = ['GGAL', 6_005, 6_446_689, 10_951] as const;
  assert.deepEqual(
    detect([
      [at('09:21'), yesterday],
      [at('10:29'), yesterday],
      [at('10:31'), yesterday],
      [at('13:00'), yesterday],
      [at('17:10'), yesterday],
      [at('17:20'), yesterday],
    ]),
    ['', '', 'GGAL not-traded', 'GGAL not-traded', 'GGAL not-traded', ''],
  );
});

test('counters that the source clears after the open are no trade; a later increase is one', () => {
  assert.deepEqual(
    detect([
      [at('10:31'), ['GGAL', 6_005, 900, 30]],
      [at('10:32'), ['GGAL', 6_005, 0, 0]],
      [at('10:33'), ['GGAL', 6_005, 0, 0]],
      [at('10:34'), ['GGAL', 6_005, 10, 1]],
    ]),
    ['GGAL not-traded', 'GGAL not-traded', 'GGAL not-traded', 'GGAL 6005'],
  );
});

test('a changed price, volume or number of trades after the open is a trade', () => {
  for (const changed of [
    ['GGAL', 6_010, 900, 30],
    ['GGAL', 6_005, 901, 30],
    ['GGAL', 6_005, 900, 31],
  ] as const) {
    assert.deepEqual(
      detect([
        [at('10:31'), ['GGAL', 6_005, 900, 30]],
        [at('10:32'), changed],
      ])[1],
      `GGAL ${changed[1]}`,
    );
  }
});

test('an instrument that traded once at the open is not missed when its counters had been cleared before', () => {
  assert.deepEqual(
    detect([
      [at('10:25'), ['GGAL', 6_005, 0, 0], ['YPFD', 8_305, 0, 0]],
      [at('10:31'), ['GGAL', 6_005, 50, 1], ['YPFD', 8_305, 0, 0]],
    ]),
    ['', 'GGAL 6005, YPFD not-traded'],
  );
});

test('cleared counters of two sessions before prove nothing', () => {
  assert.deepEqual(
    detect([
      [at('10:25', '2026-11-19'), ['GGAL', 6_005, 0, 0]],
      [at('10:31'), ['GGAL', 6_005, 50, 1]],
    ]),
    ['', 'GGAL not-traded'],
  );
});

test('a traded instrument is passed on again only when it changes, and anew in each session', () => {
  assert.deepEqual(
    detect([
      [at('10:31'), ['GGAL', 1, 10, 1]],
      [at('10:32'), ['GGAL', 2, 20, 2]],
      [at('10:33'), ['GGAL', 2, 20, 2]],
      [at('10:34'), ['GGAL', 2, 30, 3]],
      // The weekend and the holiday.
      [at('12:00', '2026-11-21'), ['GGAL', 2, 30, 3]],
      [at('12:00', '2026-11-23'), ['GGAL', 3, 40, 4]],
      [at('10:31', '2026-11-24'), ['GGAL', 3, 40, 4]],
      [at('10:32', '2026-11-24'), ['GGAL', 3, 50, 5]],
    ]),
    ['GGAL not-traded', 'GGAL 2', '', 'GGAL 2', '', '', 'GGAL not-traded', 'GGAL 3'],
  );
});

test('every instrument follows the hours of its own market', () => {
  // In November New York opens at 11:30 of Buenos Aires.
  assert.deepEqual(
    detect([
      [at('11:00'), ['GGAL', 1, 10, 1], ['AAPL_US', 1, 10, 1]],
      [at('11:10'), ['GGAL', 2, 11, 2], ['AAPL_US', 2, 11, 2]],
      [at('11:31'), ['AAPL_US', 2, 11, 2]],
      [at('11:32'), ['AAPL_US', 3, 12, 3]],
    ]),
    ['GGAL not-traded', 'GGAL 2', 'AAPL_US not-traded', 'AAPL_US 3'],
  );
});

test('a row that says that nothing has traded gives nothing, and the first trade after it does', () => {
  assert.deepEqual(
    detect([
      [at('10:25'), ['GGAL', undefined, 0, 0]],
      [at('10:31'), ['GGAL', undefined, 0, 0]],
      [at('10:32'), ['GGAL', 6_000, 10, 1]],
    ]),
    ['', 'GGAL not-traded', 'GGAL 6000'],
  );
});

test('a value without counters, such as an index, has to move', () => {
  assert.deepEqual(
    detect([
      [at('10:25'), ['MERVAL', 2_000_000]],
      [at('10:31'), ['MERVAL', 2_000_000]],
      [at('10:32'), ['MERVAL', 2_000_100]],
    ]),
    ['', 'MERVAL not-traded', 'MERVAL 2000100'],
  );
});

test('a snapshot that is older than the one before is rejected as a whole', () => {
  assert.deepEqual(
    detect([
      [at('10:31'), ['GGAL', 1, 10, 1]],
      [at('10:33'), ['GGAL', 2, 20, 2]],
      [at('10:32'), ['GGAL', 3, 15, 2]],
      [at('10:33'), ['GGAL', 2, 20, 2]],
    ]),
    ['GGAL not-traded', 'GGAL 2', 'snapshot outdated', ''],
  );
});

test('a snapshot that is repeated after the open is the reference, so the first trade after it is not missed', () => {
  const detector = new TradeDetector(universe, { isResetAsWhole: false });
  const update = { ticker: 'GGAL' as Ticker, at: at('12:00'), last: 6_005, volume: 900 };
  detector.detect([update], at('16:59', '2026-11-19'));
  for (const time of ['10:29', '10:31', '10:32']) detector.repeat(at(time));
  const traded = { ...update, last: 6_010, volume: 950 };
  const { updates } = detector.detect([traded], at('12:00'));
  assert.deepEqual(
    updates.map(({ last }) => last),
    [6_010],
  );
});

test('where a source clears its rows as a whole, one row that trades proves the others', () => {
  const first = [at('13:00'), ['GGAL', 1, 10, 1], ['YPFD', 5, 50, 5]] as const;
  const second = [at('13:01'), ['YPFD', 5, 50, 5], ['GGAL', 1, 11, 2]] as const;
  assert.deepEqual(detect([first, second], { isResetAsWhole: true }), [
    'GGAL not-traded, YPFD not-traded',
    'YPFD 5, GGAL 1',
  ]);
  assert.deepEqual(detect([first, second])[1], 'GGAL 1, YPFD not-traded');
});

test('a panel that proved one session proves nothing about the next', () => {
  assert.deepEqual(
    detect(
      [
        [at('13:00', '2026-11-19'), ['GGAL', 1, 10, 1], ['YPFD', 5, 50, 5]],
        [at('13:01', '2026-11-19'), ['GGAL', 1, 11, 2], ['YPFD', 5, 50, 5]],
        [at('10:31'), ['GGAL', 1, 11, 2], ['YPFD', 5, 50, 5]],
      ],
      { isResetAsWhole: true },
    )[2],
    'GGAL not-traded, YPFD not-traded',
  );
});

test('while an instrument does not trade, its book is passed on alone, with the instant of the snapshot', () => {
  const detector = new TradeDetector(universe, { isResetAsWhole: false });
  const ticker = 'GGAL' as Ticker;
  const pass = (time: string, fields: Omit<Update, 'ticker' | 'at'>, tradedAt = time) => {
    const { updates } = detector.detect([{ ticker, at: at(tradedAt), ...fields }], at(time));
    return updates.map(({ ticker: _ticker, at: instant, ...rest }) => [
      new Date(instant).toISOString().slice(11, 16),
      rest,
    ]);
  };
  const book = { bid: 99, bidSize: 5 };
  assert.deepEqual(pass('10:31', { last: 100, ...book }), [], 'it has not traded');
  assert.deepEqual(pass('10:32', { last: 100, bid: 98 }), [], 'a book is no trade');
  assert.deepEqual(pass('10:33', { last: 101, ...book }), [['13:33', { last: 101, ...book }]]);
  assert.deepEqual(pass('10:34', { last: 101, ...book }), []);
  assert.deepEqual(pass('10:35', { last: 101, bid: 98 }, '10:33'), [['13:35', { bid: 98 }]]);
  assert.deepEqual(pass('10:36', { last: 101 }), [], 'without a book');
  assert.deepEqual(pass('10:37', { last: 101, trades: 4, ask: 102 }, '10:36'), [
    ['13:36', { last: 101 }],
    ['13:37', { trades: 4, ask: 102 }],
  ]);
  assert.deepEqual(pass('10:38', { last: 102, trades: 4, ask: 102 }, '10:37'), [
    ['13:37', { last: 102 }],
  ]);
});

test('the book of a session is passed on even if it is that of the end of the session before', () => {
  const detector = new TradeDetector(universe, { isResetAsWhole: false });
  const pass = (instant: number, last: number, bid: number) =>
    detector.detect([{ ticker: 'GGAL' as Ticker, at: instant - 1, last, bid }], instant).updates
      .length;
  pass(at('16:00', '2026-11-19'), 1, 9);
  assert.equal(pass(at('16:01', '2026-11-19'), 2, 9), 2);
  pass(at('10:31'), 2, 9);
  assert.equal(pass(at('10:32'), 3, 9), 2);
});

for (const isReversed of [false, true]) {
  test(`of several rows of an instrument the one that continues its price is used, the others are rejected by name: ${isReversed ? 'the last' : 'the first'}`, () => {
    const wrong = ['GGAL', 7_777, 999_999, 9_999] as const;
    const given = (...right: Row): readonly Row[] => {
      const rows = [right, ['YPFD', 10, 1, 1] as const, wrong];
      return isReversed ? rows.toReversed() : rows;
    };
    assert.deepEqual(
      detect([
        [at('11:00'), ['GGAL', 6_930, 267_463, 2_201], ['YPFD', 10, 1, 1]],
        [at('11:01'), ...given('GGAL', 6_930, 267_500, 2_210)],
        [at('11:02'), ...given('GGAL', 6_950, 267_600, 2_220), wrong],
        [at('11:03'), ['GGAL', 6_990, 267_700, 2_230], ['YPFD', 11, 2, 2]],
      ]),
      [
        'GGAL not-traded, YPFD not-traded',
        'GGAL 6930, GGAL repeated, YPFD not-traded',
        'GGAL 6950, GGAL repeated, GGAL repeated, YPFD not-traded',
        'GGAL 6990, YPFD 11',
      ],
    );
  });
}
