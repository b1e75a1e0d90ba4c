import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, latest, update } from '../../test/support/market/drive-engine.ts';
import { JudgedMarket } from '../../test/support/market/judged-market.ts';
import { makeUniverse, type InstrumentSketch } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import { derive } from './derive.ts';
import { Engine } from './engine.ts';

const noon = at('2026-11-20', '12:00');
const sessionDate = '2026-11-20' as PlainDate;

function ratio(ticker: string, kind: 'spread' | 'exchange-rate'): InstrumentSketch {
  const derivation = {
    type: 'ratio',
    numerator: 'A' as Ticker,
    denominator: 'B' as Ticker,
  } as const;
  return { ticker, kind, derivation };
}

/** A rate of AL30 in pesos and in dollars. */
function dollar(ticker: string, denominator: string): InstrumentSketch {
  const inputs = { numerator: 'AL30' as Ticker, denominator: denominator as Ticker };
  return { ticker, kind: 'exchange-rate', derivation: { type: 'ratio', ...inputs } };
}

function alias(ticker: string, source: string): InstrumentSketch {
  return { ticker, kind: 'spread', derivation: { type: 'alias', source: source as Ticker } };
}

/** Two rates that may be negative, and the instruments derived from them. */
function makeEngine(...derived: readonly InstrumentSketch[]): Engine {
  const rates = ['A', 'B'].map((ticker) => ({ ticker, kind: 'interest-rate' }) as const);
  return new Engine(makeUniverse([...rates, ...derived]), {
    settleDelayMs: 900_000,
    nextVersion: 1,
  });
}

function closeInHistory(engine: Engine, one: string, close: number) {
  const ticker = one as Ticker;
  const latestClose = { day: toEpochDay(sessionDate), close, volume: null };
  const closesReturned = engine.closesReturned(ticker);
  return engine.adoptHistory([
    { ticker, closesReturned, latest: latestClose, sessionDate, references: {} },
  ]);
}

test('a derived instrument follows the official close of an input, with the instant of the older of its inputs', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'));
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  engine.settle(at('2026-11-20', '17:15'));
  const night = at('2026-11-20', '20:00');
  engine.apply([update('A', night, { close: 8 })], night);
  const { last, asOf } = latest(engine, 'SPREAD') ?? {};
  assert.deepEqual([last, asOf], [4, noon]);
  assert.deepEqual(
    engine.settle(night).closes.map(({ ticker, close }) => [ticker, close.close]),
    [
      ['A', 8],
      ['SPREAD', 4],
    ],
  );
});

test('a derived spread may be zero or negative, and a derived price may not', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'), ratio('PRICE', 'exchange-rate'));
  for (const last of [-6, 0]) {
    engine.apply([update('A', noon, { last }), update('B', noon, { last: 2 })], noon);
    assert.equal(latest(engine, 'SPREAD')?.last, last / 2);
    assert.equal(latest(engine, 'PRICE'), undefined);
  }
  engine.apply([update('A', noon, { last: 6 })], noon);
  assert.equal(latest(engine, 'PRICE')?.last, 3);
});

test('a close that corrects an input changes the instruments derived from it, directly or indirectly', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'), alias('SAME', 'SPREAD'));
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  closeInHistory(engine, 'SAME', 3);
  closeInHistory(engine, 'SPREAD', 3);
  const { quotes } = closeInHistory(engine, 'A', 8);
  assert.deepEqual(
    quotes.map(({ instrument, last }) => [instrument.ticker, last]),
    [
      ['A', 8],
      ['SPREAD', 4],
      ['SAME', 4],
    ],
  );
});

test('an imported close of a derived instrument is kept when a close that arrives with it changes no input', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'), alias('SAME', 'SPREAD'));
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  closeInHistory(engine, 'SAME', 5);
  closeInHistory(engine, 'B', 2);
  assert.equal(latest(engine, 'SAME')?.last, 5);
});

test('an imported close of a derived instrument is kept when an update repeats known values', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'));
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  closeInHistory(engine, 'SPREAD', 5);
  const { outcomes, quotes } = engine.apply([update('A', noon, { last: 6 })], noon);
  assert.deepEqual([outcomes, quotes], [['unchanged'], []]);
  assert.equal(latest(engine, 'SPREAD')?.last, 5);
});

test('a derived value is as of the older of its inputs, whichever input that is, also of derived ones', () => {
  for (const [first, second] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    const engine = makeEngine(ratio('SPREAD', 'spread'), alias('SAME', 'SPREAD'));
    const later = noon + 60_000;
    engine.apply([update(second, later, { last: 2 }), update(first, noon, { last: 2 })], later);
    assert.equal(latest(engine, 'SPREAD')?.asOf, noon);
    assert.equal(latest(engine, 'SAME')?.asOf, noon);
  }
});

test('a price of one input alone moves the value and its bar, and not its instant', () => {
  const gap = { type: 'gap', value: 'MEP' as Ticker, base: 'B' as Ticker } as const;
  const engine = new Engine(
    makeUniverse([
      { ticker: 'A', kind: 'interest-rate' },
      { ticker: 'B', kind: 'interest-rate' },
      ratio('MEP', 'exchange-rate'),
      { ticker: 'GAP', kind: 'spread', derivation: gap },
    ]),
    { settleDelayMs: 900_000, nextVersion: 1, recordsBars: true },
  );
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  const later = noon + 90 * 60_000;
  engine.apply([update('A', later, { last: 8 })], later);
  for (const [ticker, last] of [
    ['MEP', 4],
    ['GAP', 100],
  ] as const) {
    const quote = latest(engine, ticker);
    assert.deepEqual([quote?.last, quote?.asOf], [last, noon], ticker);
    assert.deepEqual([quote?.bar?.minute, quote?.bar?.last], [later / 60_000, last], ticker);
  }
  // The same price again changes nothing that a client sees.
  const { quotes } = engine.apply([update('A', later + 1000, { last: 8 })], later + 1000);
  assert.deepEqual(
    quotes.map(({ instrument }) => instrument.ticker),
    ['A'],
  );
});

test('a derived price is never rounded to 0', () => {
  const engine = makeEngine(ratio('PRICE', 'exchange-rate'));
  engine.apply([update('A', noon, { last: 0.000_001 }), update('B', noon, { last: 20 })], noon);
  assert.equal(latest(engine, 'PRICE')?.last, 0.000_000_05);
});

test('a derived instrument is as late as its latest input, and names no source', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'));
  const send = (ticker: string, instant: number, delayMinutes?: number) => {
    const source = delayMinutes === undefined ? undefined : { name: ticker, delayMinutes };
    engine.apply([update(ticker, instant, { last: 2 })], instant, source);
  };
  send('A', noon);
  send('B', noon);
  assert.equal(latest(engine, 'SPREAD')?.source, undefined, 'no input has a source');
  send('B', noon + 1, 15);
  assert.deepEqual(latest(engine, 'SPREAD')?.source, { delayMinutes: 15 });
  send('A', noon + 2, 20);
  assert.deepEqual(latest(engine, 'SPREAD')?.source, { delayMinutes: 20 });
});

test('the delay of a derived instrument is not known while that of one of its inputs is not', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'), alias('SECOND', 'SPREAD'));
  const send = (ticker: string, instant: number, source: { readonly delayMinutes?: number }) => {
    engine.apply([update(ticker, instant, { last: 2 })], instant, { name: ticker, ...source });
  };
  send('A', noon, { delayMinutes: 20 });
  send('B', noon + 1, {});
  assert.deepEqual(latest(engine, 'SPREAD')?.source, {});
  assert.deepEqual(latest(engine, 'SECOND')?.source, {}, 'an input that is derived itself');
  send('B', noon + 2, { delayMinutes: 0 });
  assert.deepEqual(latest(engine, 'SPREAD')?.source, { delayMinutes: 20 });
});

test('an input that is not in the universe derives nothing', () => {
  const derivation = { type: 'alias', source: 'NADA' as Ticker } as const;
  const engine = makeEngine(ratio('SPREAD', 'spread'), { ticker: 'X', kind: 'spread', derivation });
  assert.deepEqual(closeInHistory(engine, 'A', 6).quotes.length, 1);
  assert.equal(latest(engine, 'X'), undefined);
});

test('a value derived from closes alone has no instant', () => {
  const session = { sessionDate, last: 6, volume: null, openAt: null, isInHistory: true };
  const derivation = { type: 'alias', source: 'A' as Ticker } as const;
  const slot = { session: { ...session, historyClose: 6 }, inputsAt: undefined };
  const value = derive(derivation, () => slot);
  assert.deepEqual(value, { sessionDate, last: 6 });
});

test('after a restart, a derived instrument follows its inputs into their session', () => {
  const before = makeEngine(ratio('SPREAD', 'spread'));
  closeInHistory(before, 'SPREAD', 5);
  const [spread] = closeInHistory(before, 'SPREAD', 6).stored;
  const monday = at('2026-11-24', '12:00');
  const inputs = makeEngine().apply(
    [update('A', monday, { last: 6 }), update('B', monday, { last: 2 })],
    monday,
  );
  const engine = makeEngine(ratio('SPREAD', 'spread'));
  engine.restore([...inputs.stored, ...(spread === undefined ? [] : [spread])]);
  assert.equal(latest(engine, 'SPREAD')?.last, 6);
  engine.adoptHistory([]);
  const quote = latest(engine, 'SPREAD');
  assert.deepEqual([quote?.sessionDate, quote?.last, quote?.previousClose], ['2026-11-24', 3, 6]);
});

const facts = (one: string, close: number) => ({
  ticker: one as Ticker,
  closesReturned: 0,
  latest: { day: toEpochDay(sessionDate), close, volume: null },
  sessionDate,
  references: {},
});

test('closes that are imported together, of a derived instrument and of its inputs, are all kept', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'));
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon);
  engine.adoptHistory([facts('A', 8), facts('SPREAD', 5)]);
  assert.equal(latest(engine, 'SPREAD')?.last, 5);
});

test('a derived price is shown however far it is from its previous close, because its inputs are judged, and then the close is set aside', () => {
  const engine = makeEngine(ratio('PRICE', 'exchange-rate'));
  engine.apply([update('A', noon, { last: 2 }), update('B', noon, { last: 2 })], noon);
  const monday = at('2026-11-24', '12:00');
  engine.apply([update('A', monday, { last: 80 }), update('B', monday, { last: 2 })], monday);
  const quote = latest(engine, 'PRICE');
  assert.deepEqual([quote?.last, quote?.previousClose, quote?.change], [40, undefined, null]);
  assert.equal(quote?.setAside?.close, 1);
  engine.apply([update('A', monday + 1, { last: 6 })], monday + 1);
  const nearer = latest(engine, 'PRICE');
  assert.deepEqual([nearer?.last, nearer?.previousClose, nearer?.setAside], [3, 1, undefined]);
});

/** One push of AL30 and its classes in dollars, all at a part of their first prices. */
function pushAt(instant: number, factor: number): readonly Update[] {
  return [
    update('AL30', instant, { last: 90_000 * factor }),
    update('AL30', instant + 1, { last: 89_760 * factor }),
    update('AL30D', instant, { last: 60 * factor }),
    update('AL30C', instant, { last: 60 * factor }),
  ];
}

test('both inputs of one batch move a derived instrument once, so no value that never existed is in its range or its bars', () => {
  const market = new JudgedMarket(
    makeUniverse([
      { ticker: 'AL30', kind: 'bond' },
      { ticker: 'AL30D', kind: 'bond' },
      { ticker: 'AL30C', kind: 'bond' },
      dollar('DOLAR MEP', 'AL30D'),
      dollar('DOLAR CCL', 'AL30C'),
      {
        ticker: 'MEP-CCL',
        kind: 'spread',
        derivation: { type: 'gap', value: 'DOLAR CCL' as Ticker, base: 'DOLAR MEP' as Ticker },
      },
      { ticker: 'SAME', kind: 'bond', derivation: { type: 'alias', source: 'AL30' as Ticker } },
    ]),
  );
  market.send(pushAt(noon, 1));
  market.send(pushAt(noon + 60_000, 0.95));
  market.send(pushAt(noon + 120_000, 1.3));
  for (const ticker of ['DOLAR MEP', 'DOLAR CCL']) {
    const { last, open, high, low, bar } = market.quote(ticker) ?? {};
    const bars = market.bars.filter((one) => one.ticker === ticker).map((one) => one.bar);
    assert.deepEqual([last, open, high, low], [1496, 1496, 1496, 1496]);
    for (const one of [...bars, bar])
      assert.deepEqual([one?.open, one?.high, one?.low], [1496, 1496, 1496]);
    assert.equal(bars.length, 2);
  }
  assert.deepEqual([market.quote('MEP-CCL')?.high, market.quote('MEP-CCL')?.low], [0, 0]);
  const { high, low } = market.quote('SAME') ?? {};
  assert.deepEqual([high, low], [117_000, 89_760 * 0.95], 'an alias has each value of its source');
});

test('the parts of a batch are one batch, also with a batch of another source between them', () => {
  const engine = new Engine(
    makeUniverse([{ ticker: 'A' }, { ticker: 'B' }, { ticker: 'C' }, ratio('AB', 'exchange-rate')]),
    { settleDelayMs: 900_000, nextVersion: 1 },
  );
  const [one, two] = [{ name: 'one' }, { name: 'two' }];
  engine.apply([update('A', noon, { last: 6 }), update('B', noon, { last: 2 })], noon, one);
  const { quotes } = engine.apply([update('A', noon + 1, { last: 9 })], noon, one, {
    isContinued: true,
  });
  assert.deepEqual(
    quotes.map(({ instrument }) => instrument.ticker),
    ['A'],
  );
  engine.apply([update('C', noon + 1, { last: 1 })], noon, two);
  assert.equal(latest(engine, 'AB')?.last, 3);
  engine.apply([update('B', noon + 1, { last: 3 })], noon, one);
  const { high, low, last } = latest(engine, 'AB') ?? {};
  assert.deepEqual([last, high, low], [3, 3, 3]);
  engine.apply([update('A', noon + 2, { last: 12 })], noon, one, { isContinued: true });
  engine.apply([], noon, one);
  assert.equal(latest(engine, 'AB')?.last, 4, 'the last part may be empty');
});

test('a batch over two sessions gives the earlier one its last derived value', () => {
  const engine = makeEngine(ratio('SPREAD', 'spread'), alias('SAME', 'SPREAD'));
  const monday = at('2026-11-24', '12:00');
  const { closes, quotes } = engine.apply(
    [
      update('A', noon, { last: 6 }),
      update('B', noon, { last: 2 }),
      update('A', noon + 1, { last: 8 }),
      update('A', monday, { last: 30 }),
      update('B', monday, { last: 3 }),
    ],
    monday,
  );
  assert.deepEqual(
    closes.map(({ ticker, close }) => [ticker, close.close]),
    [
      ['A', 8],
      ['B', 2],
      ['SPREAD', 4],
      ['SAME', 4],
    ],
  );
  assert.deepEqual(
    quotes.map(({ instrument, last }) => [instrument.ticker, last]),
    [
      ['A', 30],
      ['B', 3],
      ['SPREAD', 10],
      ['SAME', 10],
    ],
  );
});
