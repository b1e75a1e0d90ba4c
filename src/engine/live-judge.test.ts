import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, update } from '../../test/support/market/drive-engine.ts';
import { JudgedMarket } from '../../test/support/market/judged-market.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';

/** Contract 2.6.9: how far a price may move. Within a session a price beyond the bound waits for others that agree. */

const thursday = '2026-11-19';
const friday = '2026-11-20';
const noon = at(friday, '12:00');
const minute = 60_000;

const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'AL30D', kind: 'bond' },
  { ticker: 'BTC', kind: 'crypto' },
  { ticker: 'MEP-CCL', kind: 'spread' },
  { ticker: 'RIESGO', kind: 'country-risk' },
  { ticker: 'CAUCION', kind: 'interest-rate' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: {
      type: 'ratio',
      numerator: 'AL30' as Ticker,
      denominator: 'AL30D' as Ticker,
    },
  },
]);

type Fields = Omit<Update, 'ticker' | 'at'>;
const bond = (minutes: number, fields: Fields): Update =>
  update('AL30', noon + minutes * minute, fields);

const sourceOne = { name: 'one', delayMinutes: 0 };
const sourceTwo = { name: 'two', delayMinutes: 5 };

/** A market in which AL30 and its derived rate have a price since noon, near the close of the day before. */
function begun(): JudgedMarket {
  const market = new JudgedMarket(universe);
  market.adopt('AL30', [thursday, 89_000]);
  market.sendOne(update('AL30D', noon, { last: 60 }));
  market.sendOne(bond(0, { last: 90_000, volume: 10 }));
  return market;
}

/** Everything that is shown or stored of the prices of a market, without versions. */
function shown(market: JudgedMarket): unknown {
  const quotes = market.engine.quotes().map((one) => ({ ...one, version: 0, plainVersion: 0 }));
  return { quotes, bars: market.bars };
}

function range(market: JudgedMarket, ticker = 'AL30'): readonly unknown[] {
  const { open, high, low, last } = market.quote(ticker) ?? {};
  return [open, high, low, last];
}

for (const factor of [10, 100, 1_000, 10_000, 0.1, 0.01, 0.001, 0.0001]) {
  test(`a single price ${factor} times the true one reaches no quote, no range, no bar and no derived instrument`, () => {
    const [slipped, clean] = [begun(), begun()];
    const steps = [90_100, 90_200 * factor, 90_300, 90_250];
    for (const [index, last] of steps.entries()) {
      const one = bond(index + 1, { last, volume: 11 + index });
      assert.equal(slipped.sendOne(one), index === 1 ? 'held' : 'accepted');
      if (index !== 1) clean.sendOne(one);
      assert.deepEqual(shown(slipped), shown(clean));
    }
    assert.deepEqual(range(slipped, 'DOLAR MEP'), [1_500, 1_505, 1_500, 90_250 / 60].map(round4));
    slipped.settle(at(friday, '17:15'));
    clean.settle(at(friday, '17:15'));
    assert.deepEqual(shown(slipped), shown(clean));
    assert.deepEqual(slipped.reports(), ['held', 'dropped']);
  });
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

test('a jump that five different prices over two minutes confirm is shown with all of them, and is reported once', () => {
  const market = begun();
  for (const [minutes, last] of [
    [1, 380_000],
    [1.5, 381_000],
    [2, 400_000],
    [2.5, 382_000],
    [2.9, 383_000],
    [3.5, 383_000],
  ] as const) {
    const isLast = minutes === 3.5;
    const outcome = market.sendOne(bond(minutes, { last, volume: 10 * minutes }), sourceOne);
    assert.equal(outcome, isLast ? 'accepted' : 'held', String(minutes));
    assert.equal(market.quote('AL30')?.last, isLast ? 383_000 : 90_000);
  }
  assert.deepEqual(range(market), [90_000, 400_000, 90_000, 383_000]);
  assert.equal(market.quote('AL30')?.volume, 35);
  assert.equal(market.quote('DOLAR MEP')?.last, round4(383_000 / 60));
  assert.deepEqual(
    market.bars.filter(({ ticker }) => ticker === 'AL30').map(({ bar }) => [bar.open, bar.last]),
    [
      [90_000, 90_000],
      [380_000, 381_000],
      [400_000, 383_000],
    ],
  );
  const held = { type: 'held', reason: 'far-from-neighbours' };
  assert.deepEqual(market.reports().slice(-3), ['held', 'confirmed', 'set-aside']);
  const about = { ticker: 'AL30', source: 'one', believed: 90_000 };
  assert.deepEqual(market.judged[0], { ...about, ...held, price: 380_000 });
  const confirmed = { ...about, type: 'confirmed', price: 383_000, move: 'jump' };
  assert.deepEqual(market.judged.at(-2), confirmed);
});

for (const [ticker, level] of [
  ['BTC', 101_000],
  ['RIESGO', 600],
] as const) {
  test(`a price of ${ticker} ten times the one before it in its session is shown nowhere`, () => {
    const market = new JudgedMarket(universe);
    market.adopt(ticker, [thursday, level * 0.99]);
    for (const [minutes, last, outcome] of [
      [0, level, 'accepted'],
      [1, level * 10, 'held'],
      [2, level + 1, 'accepted'],
    ] as const) {
      assert.equal(market.sendOne(update(ticker, noon + minutes * minute, { last })), outcome);
    }
    assert.deepEqual(range(market, ticker), [level, level + 1, level, level + 1]);
    const cut = update(ticker, noon + 3 * minute, { last: level + 2, high: level * 10 });
    assert.deepEqual(market.sendOne(cut), { refused: 'implausible', part: 'range' });
    assert.equal(range(market, ticker)[1], level + 2);
  });
}

test('a first level ten times the close stays once enough prices support it, and has bars from then on', () => {
  const market = new JudgedMarket(universe);
  market.adopt('BTC', [thursday, 1_000]);
  const send = (seconds: number, last: number, by = sourceOne): unknown =>
    market.sendOne(update('BTC', noon + seconds * 1_000, { last }), by);
  for (let step = 0; step < 5; step += 1) {
    assert.equal(send(step * 30, 10_000 + step), 'accepted');
    assert.equal(market.quote('BTC')?.bar === undefined, step < 4);
  }
  assert.equal(send(150, 1_000), 'held');
  assert.equal(send(160, 1_001), 'held');
  assert.deepEqual(range(market, 'BTC'), [10_000, 10_004, 10_000, 10_004]);
  const quick = new JudgedMarket(universe);
  quick.adopt('BTC', [thursday, 1_000]);
  quick.sendOne(update('BTC', noon, { last: 10_000 }), sourceOne);
  quick.sendOne(update('BTC', noon + 1, { last: 10_001 }), sourceTwo);
  assert.equal(quick.sendOne(update('BTC', noon + 2, { last: 1_000 }), sourceTwo), 'held');
});

test('a late price within the range of the session is believed and changes nothing, and one outside it is judged', () => {
  const market = begun();
  for (const [minutes, last, by] of [
    [1, 90_100, sourceOne],
    [2, 400_000, sourceOne],
    [3, 401_000, sourceTwo],
  ] as const) {
    market.sendOne(bond(minutes, { last }), by);
  }
  const [before, reports] = [range(market), market.reports()];
  for (const [minutes, last] of [
    [0, 90_000],
    [1, 90_100],
    [2, 400_000],
  ] as const) {
    assert.equal(market.sendOne(bond(minutes, { last })), 'unchanged', `minute ${minutes}`);
  }
  assert.deepEqual(market.reports(), reports);
  assert.equal(market.sendOne(bond(1, { last: 9_010_000 })), 'held');
  assert.equal(market.sendOne(bond(1, { last: 89_999 })), 'held');
  assert.deepEqual(range(market), before);
});

test('a repeated report is no second price, and is reported once', () => {
  const market = begun();
  for (let poll = 0; poll < 5; poll += 1) {
    assert.equal(market.sendOne(bond(1, { last: 400_000 })), 'held');
  }
  assert.deepEqual(market.reports(), ['held']);
});

test('without a previous close, a wrong first price gives way to five that agree, and leaves no trace', () => {
  const market = new JudgedMarket(universe);
  market.sendOne(update('AL30D', noon, { last: 60 }));
  const wrong = { last: 9_000_000, open: 9_100_000, volume: 3, bid: 8_900_000 };
  assert.equal(market.sendOne(bond(0, wrong)), 'accepted');
  assert.equal(market.quote('DOLAR MEP')?.last, 150_000);
  for (let step = 0; step < 4; step += 1) {
    assert.equal(market.sendOne(bond(1 + step / 2, { last: 90_000 + step })), 'held');
  }
  const withWrongHigh = { last: 90_100, high: 9_000_000 };
  assert.deepEqual(market.sendOne(bond(3, withWrongHigh)), {
    refused: 'implausible',
    part: 'range',
  });
  assert.deepEqual(range(market), [90_000, 90_100, 90_000, 90_100]);
  assert.deepEqual(range(market, 'DOLAR MEP'), Array(4).fill(round4(90_100 / 60)));
  assert.equal(market.quote('AL30')?.book, undefined);
  assert.equal(market.quote('AL30')?.volume, 3);
  const bars = market.bars.filter(({ ticker }) => ticker === 'AL30').map(({ bar }) => bar);
  assert.deepEqual(
    bars.map(({ high, low, volume }) => [high, low, volume]),
    [
      [90_001, 90_000, 3],
      [90_003, 90_002, 0],
    ],
  );
});

test('each kind has its own bound, and a price at the bound is shown at once', () => {
  for (const [ticker, bound, ofSession] of [
    ['AL30', 4, 4],
    ['BTC', 50, 4],
    ['RIESGO', 50, 4],
    ['CAUCION', 50, 50],
  ] as const) {
    for (const [factor, isWithin] of [
      [1, true],
      [1.001, false],
    ] as const) {
      for (const inverse of [1, -1]) {
        const market = new JudgedMarket(universe);
        market.adopt(ticker, [thursday, 1_000]);
        const first = update(ticker, noon, { last: 1_000 * (bound * factor) ** inverse });
        const outcome = isWithin ? 'accepted' : { refused: 'implausible' };
        assert.deepEqual(market.sendOne(first), outcome, `${ticker} at the open`);
        const other = new JudgedMarket(universe);
        other.sendOne(update(ticker, noon, { last: 1_000 }));
        const last = 1_000 * (ofSession * factor) ** inverse;
        const moved = update(ticker, noon + minute, { last });
        assert.equal(other.sendOne(moved), isWithin ? 'accepted' : 'held', ticker);
      }
    }
  }
});

test('a value that may be zero or negative has no bound', () => {
  const market = new JudgedMarket(universe);
  for (const [index, last] of [0.01, 400, -3, 0, 90].entries()) {
    const one = update('MEP-CCL', noon + index * minute, { last });
    assert.equal(market.sendOne(one), 'accepted', String(last));
  }
  assert.deepEqual(market.judged, []);
});

for (const field of ['open', 'high', 'low', 'previousClose', 'close'] as const) {
  test(`a slip in ${field} is left out, and the rest of its update is shown`, () => {
    for (const factor of [100, 0.01]) {
      const market = new JudgedMarket(universe);
      const whole = { last: 100, open: 99, high: 102, low: 98, previousClose: 97, volume: 5 };
      market.sendOne(bond(0, whole));
      const next = { last: 101, open: 99, high: 103, low: 97, previousClose: 97, volume: 6 };
      const slip = { ...next, [field]: 100 * factor };
      assert.deepEqual(market.sendOne(bond(1, slip)), { refused: 'implausible', part: 'range' });
      const quote = market.quote('AL30');
      assert.equal(quote?.last, 101);
      assert.equal(quote.open, 99);
      assert.equal(quote.high, field === 'high' ? 102 : 103);
      assert.equal(quote.low, field === 'low' ? 98 : 97);
      assert.equal(quote.previousClose, 97);
      assert.equal(quote.volume, 6);
      assert.deepEqual([quote.bar?.high, quote.bar?.low], [101, 101]);
      const [report, ...more] = market.judged;
      assert.deepEqual([report?.type, more], ['dropped', []]);
      assert.ok(report?.type === 'dropped');
      assert.deepEqual([report.price, report.believed], [100 * factor, 101]);
    }
  });
}

for (const [field, slip] of [
  ['open', 990],
  ['high', 50.6],
  ['low', 980],
] as const) {
  test(`after a jump, a slip in ${field} that is near the prices before it and contradicts its own update is left out`, () => {
    const market = new JudgedMarket(universe);
    market.adopt('AL30', [thursday, 100]);
    const told = { open: 99, high: 102, low: 98 };
    market.sendOne(bond(0, { last: 100, ...told }));
    market.sendOne(bond(1, { last: 500 }), sourceOne);
    market.sendOne(bond(2, { last: 505 }), sourceTwo);
    const next = { ...told, last: 502, high: 506, [field]: slip };
    assert.deepEqual(market.sendOne(bond(3, next)), { refused: 'implausible', part: 'range' });
    assert.deepEqual(range(market), [99, field === 'high' ? 505 : 506, 98, 502]);
  });
}

test('a range that the last price has left by a few percent is used, because its source updates it later', () => {
  const market = begun();
  assert.equal(market.sendOne(bond(1, { last: 95_000, high: 90_500, low: 89_000 })), 'accepted');
  assert.deepEqual(range(market), [90_000, 95_000, 89_000, 95_000]);
});

test('a range without a last price is judged by the prices of the session', () => {
  const market = begun();
  assert.deepEqual(market.sendOne(bond(1, { high: 9_100_000, low: 89_000 })), {
    refused: 'implausible',
    part: 'range',
  });
  assert.deepEqual(range(market), [90_000, 90_000, 89_000, 90_000]);
});

function night(minutes: number, close: number): Update {
  return update('AL30', at(friday, '18:00') + minutes * minute, { close, last: 3 });
}

test('an official close beyond the bound waits for others that agree', () => {
  const market = begun();
  assert.equal(market.sendOne(night(0, 9_100_000)), 'held');
  assert.equal(market.quote('AL30')?.last, 90_000);
  assert.equal(market.sendOne(night(1, 91_000)), 'accepted');
  assert.deepEqual(range(market), [90_000, 91_000, 90_000, 91_000]);
});

test('a price that waits and that the official close after the hours confirms is in its bar, with its book', () => {
  const market = begun();
  const slow = { ...sourceOne, isPolledSlowly: true };
  for (const time of ['16:58', '16:59']) {
    const held = update('AL30', at(friday, time), { last: 450_000, bid: 449_000 });
    assert.equal(market.sendOne(held, slow), 'held');
  }
  const official = update('AL30', at(friday, '17:20'), { close: 450_500 });
  assert.equal(market.sendOne(official, slow), 'accepted');
  const { last, high, bar, book } = market.quote('AL30') ?? {};
  assert.deepEqual([last, high, bar?.last, book?.bid], [450_500, 450_500, 450_000, 449_000]);
});

test('a first price that is older than 30 days begins no session, whatever is in history', () => {
  const day = 86_400_000;
  for (const [age, outcome] of [
    [31 * day, { refused: 'too-old' }],
    [29 * day, 'accepted'],
  ] as const) {
    const market = new JudgedMarket(universe);
    const old = update('AL30', at('2026-10-20', '12:00'), { last: 90_000 });
    const { outcomes } = market.engine.apply([old], old.at + age);
    assert.deepEqual(outcomes, [outcome]);
    assert.equal(market.quote('AL30') === undefined, outcome !== 'accepted');
  }
});

test('a first update that repeats price, range and volume of the session before begins no session', () => {
  const market = new JudgedMarket(universe);
  const fields = { last: 8.82, open: 8.82, high: 8.9, low: 8.8, volume: 250 };
  const [noonBefore, nextNoon] = [at(thursday, '12:00'), at(friday, '12:00')];
  market.sendOne(update('AL30', noonBefore, fields));
  market.settle(at('2026-11-19', '17:15'));
  const before = market.quote('AL30');
  assert.equal(market.sendOne(update('AL30', nextNoon, fields)), 'repeated-session');
  assert.equal(market.quote('AL30'), before);
  assert.deepEqual(market.settle(at(friday, '17:15')).closes, []);
  for (const other of [{ volume: 251 }, { last: 8.83 }, { high: 8.91 }, { low: 8.79 }]) {
    const same = new JudgedMarket(universe);
    same.sendOne(update('AL30', noonBefore, fields));
    const one = update('AL30', nextNoon, { ...fields, ...other });
    assert.equal(same.sendOne(one), 'accepted', JSON.stringify(other));
  }
});

test('a price that contradicts a close is a refusal, and no report of a held price', () => {
  const market = new JudgedMarket(universe);
  market.adopt('AL30', ['2026-11-19', 90_000]);
  assert.deepEqual(market.sendOne(bond(0, { last: 900 })), { refused: 'implausible' });
  assert.equal(market.sendOne(bond(1, { last: 90_100 })), 'accepted');
  assert.deepEqual(market.judged, []);
  assert.deepEqual(range(market), [90_100, 90_100, 90_100, 90_100]);
});
