import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DailyClose } from '../domain/daily-close.ts';
import { toEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Quote } from '../domain/quote.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Universe } from '../domain/universe.ts';
import type { Update } from '../domain/update.ts';
import { makeUniverse } from '../../test/support/make-universe.ts';
import { Engine } from './engine.ts';
import type { Outcome, Turn } from './engine.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const options = { settleDelayMs: 15 * minuteMs, nextVersion: 1 };

/** An instant of Buenos Aires time. */
function at(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00-03:00`);
}

function update(ticker: string, instant: number, said: Omit<Update, 'ticker' | 'at'>): Update {
  return { ticker: ticker as Ticker, at: instant, ...said };
}

/** Applies one update at its own instant. */
function apply(engine: Engine, one: Update): Turn & { readonly outcome: Outcome | undefined } {
  const { outcomes, ...turn } = engine.apply([one], one.at);
  return { ...turn, outcome: outcomes[0] };
}

function latest(engine: Engine, ticker: string): Quote | undefined {
  return engine.quotes().find((quote) => quote.instrument.ticker === ticker);
}

/** Tells the engine the whole history of one instrument. */
function tellHistory(engine: Engine, ticker: string, closes: readonly [string, number][]): Turn {
  const [date, value] = closes.at(-1) ?? assert.fail('no closes');
  const last: DailyClose = { day: toEpochDay(date as PlainDate), close: value, volume: null };
  const sessionDate = engine.referenceSession(ticker as Ticker, last) ?? assert.fail('no session');
  const before = (bound: string): number | undefined =>
    closes.findLast(([day]) => day < bound)?.[1];
  const [previous, monthBase, yearBase] = [
    before(sessionDate),
    before(`${sessionDate.slice(0, 8)}01`),
    before(`${sessionDate.slice(0, 5)}01-01`),
  ];
  return engine.adoptHistory([
    {
      ticker: ticker as Ticker,
      closesGiven: engine.closesGiven(ticker as Ticker),
      latest: last,
      sessionDate,
      references: {
        ...(previous === undefined ? {} : { previous }),
        ...(monthBase === undefined ? {} : { monthBase }),
        ...(yearBase === undefined ? {} : { yearBase }),
      },
    },
  ]);
}

const oneShare = makeUniverse([{ ticker: 'GGAL' }]);

test('the first price of a session opens it, and the following move last, high, low and volume', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '10:31'), { last: 100, volume: 5 }));
  apply(engine, update('GGAL', at('2026-11-20', '10:32'), { last: 110, volume: 9 }));
  const { quotes } = apply(engine, update('GGAL', at('2026-11-20', '10:33'), { last: 90 }));
  const quote = quotes[0] ?? assert.fail('no quote');
  assert.deepEqual(
    [quote.sessionDate, quote.open, quote.high, quote.low, quote.last, quote.volume],
    ['2026-11-20', 100, 110, 90, 90, 9],
  );
  assert.equal(quote.asOf, at('2026-11-20', '10:33'));
});

test('a later correction of open, high, low or previous close by the source is taken', () => {
  const engine = new Engine(oneShare, options);
  apply(
    engine,
    update('GGAL', at('2026-11-20', '10:31'), { last: 100, high: 150, previousClose: 90 }),
  );
  const { quotes } = apply(
    engine,
    update('GGAL', at('2026-11-20', '10:32'), { open: 99, high: 105, low: 98, previousClose: 80 }),
  );
  const quote = quotes[0] ?? assert.fail('no quote');
  assert.deepEqual([quote.open, quote.high, quote.low, quote.previousClose], [99, 105, 98, 80]);
});

test('the same update twice changes nothing and makes no new version', () => {
  const engine = new Engine(oneShare, options);
  const one = update('GGAL', at('2026-11-20', '10:31'), { last: 100, volume: 5 });
  apply(engine, one);
  const before = latest(engine, 'GGAL');
  const { outcome, quotes, stored } = apply(engine, one);
  assert.equal(outcome, 'unchanged');
  assert.deepEqual([quotes, stored], [[], []]);
  assert.equal(latest(engine, 'GGAL'), before);
});

test('a later session leaves the close of the old one to history and starts from its own update', () => {
  const engine = new Engine(oneShare, options);
  apply(
    engine,
    update('GGAL', at('2026-11-19', '16:00'), { last: 100, high: 120, low: 95, volume: 7 }),
  );
  const { quotes, closes } = apply(
    engine,
    update('GGAL', at('2026-11-20', '10:30'), { last: 110 }),
  );
  assert.deepEqual(closes, [
    {
      ticker: 'GGAL',
      close: {
        day: toEpochDay('2026-11-19' as PlainDate),
        close: 100,
        volume: 7,
        open: 100,
        high: 120,
        low: 95,
      },
    },
  ]);
  const quote = quotes[0] ?? assert.fail('no quote');
  assert.deepEqual(
    [quote.previousClose, quote.open, quote.high, quote.low, quote.volume],
    [100, 110, 110, 110, 0],
  );
  assert.deepEqual(quote.change, { value: 10, unit: 'percent' });
});

test('an update of an earlier session never touches the quote', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '10:31'), { last: 100 }));
  const before = latest(engine, 'GGAL');
  const turn = apply(engine, update('GGAL', at('2026-11-20', '10:29'), { last: 1, high: 999 }));
  assert.equal(turn.outcome, 'earlier-session');
  assert.deepEqual([turn.quotes, turn.closes], [[], []]);
  assert.equal(latest(engine, 'GGAL'), before);
});

test('before the open, at the weekend and on a holiday, an update belongs to the session before', () => {
  const engine = new Engine(oneShare, options);
  // 2026-11-20 is a Friday, and Monday the 23rd a holiday.
  for (const [date, time] of [
    ['2026-11-20', '10:30'],
    ['2026-11-20', '23:59'],
    ['2026-11-21', '12:00'],
    ['2026-11-23', '12:00'],
    ['2026-11-24', '10:29'],
  ] as const) {
    apply(engine, update('GGAL', at(date, time), { last: 100 }));
    assert.equal(latest(engine, 'GGAL')?.sessionDate, '2026-11-20', `${date} ${time}`);
  }
  apply(engine, update('GGAL', at('2026-11-24', '10:30'), { last: 100 }));
  assert.equal(latest(engine, 'GGAL')?.sessionDate, '2026-11-24');
});

test('what cannot be true is refused with its reason and changes nothing', () => {
  const engine = new Engine(
    makeUniverse([{ ticker: 'GGAL' }, { ticker: 'CAUCION 1D', kind: 'interest-rate' }]),
    options,
  );
  const now = at('2026-11-20', '12:00');
  const refused: readonly [Update, string][] = [
    [update('NADA', now, { last: 1 }), 'unknown-ticker'],
    [update('GGAL', now, {}), 'empty'],
    [update('GGAL', now, { last: Number.NaN }), 'not-finite'],
    [update('GGAL', Number.NaN, { last: 1 }), 'not-finite'],
    [update('GGAL', now, { last: 0 }), 'not-positive'],
    [update('GGAL', now, { last: 10, low: -1 }), 'not-positive'],
    [update('GGAL', now, { last: 10, volume: -1 }), 'negative-volume'],
    [update('GGAL', now + minuteMs + 1, { last: 10 }), 'in-future'],
    [update('GGAL', -8.64e20, { last: 10 }), 'before-1970'],
    [update('GGAL', now, { volume: 10 }), 'no-last'],
  ];
  const { outcomes, quotes } = engine.apply(
    refused.map(([one]) => one),
    now,
  );
  assert.deepEqual(
    outcomes,
    refused.map(([, reason]) => ({ refused: reason })),
  );
  assert.deepEqual(quotes, []);
  const rate = engine.apply([update('CAUCION 1D', now + minuteMs, { last: -0.5 })], now);
  assert.deepEqual(rate.outcomes, ['accepted']);
});

test('a session enters history when it has closed and settled, not before, and not twice', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100 }));
  assert.deepEqual(engine.settle(at('2026-11-20', '17:14')).closes, []);
  const settled = engine.settle(at('2026-11-20', '17:15'));
  assert.equal(settled.closes[0]?.close.close, 100);
  assert.deepEqual(settled.quotes, [], 'what the quote shows has not changed');
  assert.deepEqual(engine.settle(at('2026-11-20', '18:00')).closes, []);
  apply(engine, update('GGAL', at('2026-11-20', '18:01'), { last: 101 }));
  assert.equal(engine.settle(at('2026-11-20', '18:02')).closes[0]?.close.close, 101);
});

test('an early close settles early', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-12-24', '14:59'), { last: 100 }));
  assert.equal(engine.settle(at('2026-12-24', '15:15')).closes.length, 1);
});

test('until a feed speaks, the quote is made from the closes', () => {
  const engine = new Engine(oneShare, options);
  const { quotes } = tellHistory(engine, 'GGAL', [
    ['2025-12-30', 50],
    ['2026-10-30', 80],
    ['2026-11-18', 100],
    ['2026-11-19', 110],
  ]);
  const quote = quotes[0] ?? assert.fail('no quote');
  assert.deepEqual([quote.sessionDate, quote.last, quote.asOf], ['2026-11-19', 110, undefined]);
  assert.deepEqual([quote.previousClose, quote.change?.value], [100, 10]);
  assert.deepEqual([quote.monthToDatePct, quote.yearToDatePct], [37.5, 120]);
});

test('over the turn of a year, the bases of month and year are the last close before it', () => {
  const engine = new Engine(oneShare, options);
  tellHistory(engine, 'GGAL', [
    ['2025-12-29', 90],
    ['2025-12-30', 100],
  ]);
  apply(engine, update('GGAL', at('2026-01-02', '11:00'), { last: 105 }));
  const january = latest(engine, 'GGAL');
  assert.deepEqual(
    [january?.previousClose, january?.monthToDatePct, january?.yearToDatePct],
    [100, 5, 5],
  );
  apply(engine, update('GGAL', at('2026-02-02', '11:00'), { last: 210 }));
  const february = latest(engine, 'GGAL');
  assert.deepEqual([february?.monthToDatePct, february?.yearToDatePct], [100, 110]);
});

test('a correction of history shows in the quotes at once; our own closes coming back do not', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 100 }));
  engine.settle(at('2026-11-19', '18:00'));
  apply(engine, update('GGAL', at('2026-11-19', '18:01'), { last: 103 }));
  const version = latest(engine, 'GGAL')?.version;
  tellHistory(engine, 'GGAL', [['2026-11-19', 100]]);
  assert.equal(latest(engine, 'GGAL')?.version, version, 'our own word');
  tellHistory(engine, 'GGAL', [
    ['2026-11-18', 50],
    ['2026-11-19', 101],
  ]);
  const corrected = latest(engine, 'GGAL');
  assert.deepEqual(
    [corrected?.last, corrected?.previousClose, corrected?.change?.value],
    [101, 50, 102],
  );
});

test('facts of a session that is over are not taken, and their instruments are named', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 100 }));
  const ticker = 'GGAL' as Ticker;
  const sessionDate = engine.referenceSession(ticker, undefined) ?? assert.fail('no session');
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 110 }));
  const { stale } = engine.adoptHistory([
    { ticker, closesGiven: 0, sessionDate, references: { previous: 1 } },
  ]);
  assert.deepEqual(stale, ['GGAL']);
  assert.equal(latest(engine, 'GGAL')?.previousClose, 100);
});

test('facts read before a close was handed over are not taken: they may show the close before', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100 }));
  engine.settle(at('2026-11-20', '17:15'));
  const ticker = 'GGAL' as Ticker;
  const closesGiven = engine.closesGiven(ticker);
  const latestThen = { day: toEpochDay('2026-11-20' as PlainDate), close: 100, volume: null };
  apply(engine, update('GGAL', at('2026-11-20', '17:20'), { last: 103 }));
  engine.settle(at('2026-11-20', '17:21'));
  const { stale, quotes } = engine.adoptHistory([
    {
      ticker,
      closesGiven,
      latest: latestThen,
      sessionDate: '2026-11-20' as PlainDate,
      references: {},
    },
  ]);
  assert.deepEqual([stale, quotes], [['GGAL'], []]);
  assert.equal(latest(engine, 'GGAL')?.last, 103);
});

test('a close that is in history is written again only when its source has been quiet for a minute', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100 }));
  engine.settle(at('2026-11-20', '17:15'));
  for (const minute of ['20', '21', '22']) {
    apply(engine, update('GGAL', at('2026-11-20', `17:${minute}`), { last: Number(minute) }));
    const soon = at('2026-11-20', `17:${minute}`) + minuteMs - 1;
    assert.deepEqual(engine.settle(soon).closes, []);
  }
  assert.equal(engine.settle(at('2026-11-20', '17:23')).closes[0]?.close.close, 22);
  // Where it is never quiet, the next session ends it.
  apply(engine, update('GGAL', at('2026-11-24', '10:29'), { last: 23 }));
  const { closes } = apply(engine, update('GGAL', at('2026-11-24', '10:30'), { last: 24 }));
  assert.equal(closes[0]?.close.close, 23);
});

test('after a restart, quotes are what they were, under their versions, and the next one is higher', () => {
  const engine = new Engine(oneShare, options);
  const { stored } = apply(
    engine,
    update('GGAL', at('2026-11-20', '12:00'), { last: 100, previousClose: 80 }),
  );
  const restarted = new Engine(oneShare, options);
  restarted.restore(stored);
  assert.deepEqual(restarted.quotes(), engine.quotes());
  const next = update('GGAL', at('2026-11-20', '12:01'), { last: 101 });
  assert.deepEqual(apply(restarted, next).quotes, apply(engine, next).quotes);
});

/** The quote without its version. */
function shown(engine: Engine): unknown {
  return { ...latest(engine, 'GGAL'), version: 0 };
}

/** A truthful session: prices in time, and a source that tells its range and volume now and then. */
const truthfulSession = fc
  .array(fc.record({ cents: fc.integer({ min: 1, max: 100_000 }), tells: fc.boolean() }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((ticks) => {
    const prices = ticks.map(({ cents }) => cents / 100);
    return ticks.map(({ tells }, index) => {
      const soFar = prices.slice(0, index + 1);
      return update('GGAL', at('2026-11-20', '10:30') + index * 1000, {
        last: prices[index] ?? Number.NaN,
        ...(tells ? { high: Math.max(...soFar), low: Math.min(...soFar), volume: index } : {}),
      });
    });
  });

test('any permutation of a session gives the same high, low and last, and the same first price', () => {
  fc.assert(
    fc.property(
      truthfulSession.chain((session) =>
        fc.tuple(fc.constant(session), fc.shuffledSubarray(session, { minLength: session.length })),
      ),
      ([inOrder, shuffled]) => {
        const now = at('2026-11-20', '16:00');
        const [expected, actual] = [inOrder, shuffled].map((updates) => {
          const engine = new Engine(oneShare, options);
          for (const one of updates) engine.apply([one], now);
          const quote = latest(engine, 'GGAL');
          return [quote?.high, quote?.low, quote?.last, quote?.open, quote?.asOf];
        });
        assert.deepEqual(actual, expected);
      },
    ),
  );
});

test('one batch or one update at a time: the quote is the same', () => {
  fc.assert(
    fc.property(truthfulSession, (session) => {
      const now = at('2026-11-20', '16:00');
      const batched = new Engine(oneShare, options);
      batched.apply(session, now);
      const single = new Engine(oneShare, options);
      for (const one of session) single.apply([one], now);
      assert.deepEqual(shown(batched), shown(single));
    }),
  );
});

test("a session's close in history is its last quote", () => {
  fc.assert(
    fc.property(truthfulSession, (session) => {
      const engine = new Engine(oneShare, options);
      engine.apply(session, at('2026-11-20', '16:00'));
      const quote = latest(engine, 'GGAL');
      const { closes } = apply(engine, update('GGAL', at('2026-11-24', '11:00'), { last: 1 }));
      assert.deepEqual(closes[0]?.close, {
        day: toEpochDay('2026-11-20' as PlainDate),
        close: quote?.last,
        volume: quote?.volume,
        open: quote?.open,
        high: quote?.high,
        low: quote?.low,
      });
    }),
  );
});

const ticker = (text: string): Ticker => text as Ticker;

function dollars(): Universe {
  return makeUniverse([
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond' },
    { ticker: 'AL30C', kind: 'bond' },
    { ticker: 'DOLAR OFICIAL VENTA', kind: 'exchange-rate' },
    {
      ticker: 'DOLAR MEP',
      kind: 'exchange-rate',
      derivation: { type: 'ratio', numerator: ticker('AL30'), denominator: ticker('AL30D') },
    },
    {
      ticker: 'DOLAR CCL',
      kind: 'exchange-rate',
      derivation: { type: 'ratio', numerator: ticker('AL30'), denominator: ticker('AL30C') },
    },
    {
      ticker: 'MEP-CCL',
      kind: 'spread',
      derivation: { type: 'gap', value: ticker('DOLAR CCL'), base: ticker('DOLAR MEP') },
    },
    {
      ticker: 'DOLAR TARJETA',
      kind: 'exchange-rate',
      derivation: {
        type: 'scaled',
        source: ticker('DOLAR OFICIAL VENTA'),
        factors: [
          { since: '2024-01-01' as PlainDate, factor: 1.6 },
          { since: '2026-11-20' as PlainDate, factor: 1.3 },
        ],
      },
    },
    {
      ticker: 'DOLAR OFICIAL',
      kind: 'exchange-rate',
      derivation: { type: 'alias', source: ticker('DOLAR OFICIAL VENTA') },
    },
  ]);
}

test('derived instruments follow their inputs in the same turn, with a range of their own', () => {
  const engine = new Engine(dollars(), options);
  const noon = at('2026-11-20', '12:00');
  engine.apply([update('AL30', noon, { last: 90_000 }), update('AL30D', noon, { last: 60 })], noon);
  const { quotes } = engine.apply(
    [update('AL30C', noon, { last: 50 }), update('AL30', noon + 1, { last: 93_000 })],
    noon + 1,
  );
  assert.deepEqual(
    quotes.map((quote) => [quote.instrument.ticker, quote.last]),
    [
      ['AL30C', 50],
      ['DOLAR CCL', 1860],
      ['MEP-CCL', 20],
      ['AL30', 93_000],
      ['DOLAR MEP', 1550],
    ],
  );
  const mep = latest(engine, 'DOLAR MEP');
  assert.deepEqual([mep?.open, mep?.low, mep?.high, mep?.volume], [1500, 1500, 1550, null]);
});

test('a derived value is made only while its inputs are of one session', () => {
  const engine = new Engine(dollars(), options);
  apply(engine, update('AL30', at('2026-11-19', '12:00'), { last: 90_000 }));
  apply(engine, update('AL30D', at('2026-11-19', '12:00'), { last: 60 }));
  apply(engine, update('AL30', at('2026-11-20', '12:00'), { last: 96_000 }));
  assert.deepEqual(
    [latest(engine, 'DOLAR MEP')?.sessionDate, latest(engine, 'DOLAR MEP')?.last],
    ['2026-11-19', 1500],
  );
  const { closes } = apply(engine, update('AL30D', at('2026-11-20', '12:01'), { last: 60 }));
  assert.deepEqual(
    closes.map((one) => [one.ticker, one.close.close]),
    [
      ['AL30D', 60],
      ['DOLAR MEP', 1500],
    ],
  );
  const mep = latest(engine, 'DOLAR MEP');
  assert.deepEqual([mep?.sessionDate, mep?.last, mep?.previousClose], ['2026-11-20', 1600, 1500]);
});

test('a scaled instrument takes the factor in force on the session, an alias the very value', () => {
  const engine = new Engine(dollars(), options);
  apply(engine, update('DOLAR OFICIAL VENTA', at('2026-11-19', '12:00'), { last: 1000 }));
  assert.equal(latest(engine, 'DOLAR TARJETA')?.last, 1600);
  apply(engine, update('DOLAR OFICIAL VENTA', at('2026-11-20', '12:00'), { last: 1001 }));
  assert.equal(latest(engine, 'DOLAR TARJETA')?.last, 1301.3);
  assert.equal(latest(engine, 'DOLAR OFICIAL')?.last, 1001);
});

test('what history says of a derived instrument stands, also over a restart, until an input changes', () => {
  const noon = at('2026-11-20', '12:00');
  const engine = new Engine(dollars(), options);
  engine.apply([update('AL30', noon, { last: 90_000 }), update('AL30D', noon, { last: 60 })], noon);
  const night = at('2026-11-20', '20:00');
  engine.settle(night);
  const { stored } = tellHistory(engine, 'DOLAR MEP', [['2026-11-20', 1510]]);
  assert.equal(latest(engine, 'DOLAR MEP')?.last, 1510);
  tellHistory(engine, 'AL30C', [['2026-11-19', 1]]);
  assert.deepEqual(engine.settle(night + minuteMs).closes, []);

  const restarted = new Engine(dollars(), options);
  const inputs = ['AL30', 'AL30D'].map((one) => keptOf(engine, one));
  restarted.restore([...stored, ...inputs]);
  tellHistory(restarted, 'AL30', [['2026-11-20', 90_000]]);
  assert.equal(latest(restarted, 'DOLAR MEP')?.last, 1510);

  tellHistory(restarted, 'AL30', [['2026-11-20', 93_000]]);
  assert.equal(latest(restarted, 'DOLAR MEP')?.last, 1550);
});

/** What is stored of an instrument whose session is in history. */
function keptOf(engine: Engine, one: string): Turn['stored'][number] {
  const quote = latest(engine, one) ?? assert.fail('no quote');
  return {
    ticker: ticker(one),
    version: quote.version,
    session: { ...quote, openAt: null, isInHistory: true, historyClose: quote.last },
    references: {},
  };
}

test('an input of any size is no harm: a derived value that is not finite is none', () => {
  const engine = new Engine(dollars(), options);
  const noon = at('2026-11-20', '12:00');
  const { outcome, quotes } = apply(
    engine,
    update('DOLAR OFICIAL VENTA', noon, { last: Number.MAX_VALUE }),
  );
  assert.equal(outcome, 'accepted');
  assert.deepEqual(
    quotes.map(({ instrument }) => instrument.ticker),
    ['DOLAR OFICIAL VENTA', 'DOLAR OFICIAL'],
  );
});

test('a derived instrument takes no updates of its own', () => {
  const engine = new Engine(dollars(), options);
  const { outcome } = apply(engine, update('DOLAR MEP', at('2026-11-20', '12:00'), { last: 1 }));
  assert.deepEqual(outcome, { refused: 'derived' });
});

test('without a feed, a derived instrument has its own closes, and none are made of its inputs', () => {
  const engine = new Engine(dollars(), options);
  tellHistory(engine, 'AL30', [['2026-11-19', 90_000]]);
  tellHistory(engine, 'AL30D', [['2026-11-19', 60]]);
  assert.equal(latest(engine, 'DOLAR MEP'), undefined);
  tellHistory(engine, 'DOLAR MEP', [['2026-11-18', 1490]]);
  assert.equal(latest(engine, 'DOLAR MEP')?.last, 1490);
  assert.deepEqual(engine.settle(at('2026-11-20', '08:00')).closes, []);
});

/** What the engine is to show, computed the slow way from all updates ever sent. */
function naiveQuote(
  updates: readonly (Update & { readonly session: string })[],
): Pick<
  Quote,
  'last' | 'high' | 'low' | 'open' | 'previousClose' | 'monthToDatePct' | 'yearToDatePct'
> {
  const session = updates.at(-1)?.session ?? assert.fail('no updates');
  const prices = updates.filter((one) => one.session === session).map((one) => one.last ?? 0);
  const closeBefore = (bound: string): number | undefined =>
    updates.findLast((one) => one.session < bound)?.last;
  const last = prices.at(-1) ?? Number.NaN;
  // In whole cents, so that the arithmetic is exact.
  const percent = (base: number | undefined): number | null => {
    if (base === undefined) return null;
    const [from, to] = [Math.round(base * 100), Math.round(last * 100)];
    const hundredths = Math.floor((Math.abs(to - from) * 20_000 + from) / (2 * from));
    return hundredths === 0 ? 0 : (Math.sign(to - from) * hundredths) / 100;
  };
  return {
    last,
    open: prices[0],
    high: Math.max(...prices),
    low: Math.min(...prices),
    previousClose: closeBefore(session),
    monthToDatePct: percent(closeBefore(`${session.slice(0, 8)}01`)),
    yearToDatePct: percent(closeBefore(`${session.slice(0, 5)}01-01`)),
  };
}

test('seven weeks over holidays and a year end, with restarts: every quote is what a naive model says', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          minutes: fc.integer({ min: 1, max: 3000 }),
          cents: fc.integer({ min: 100, max: 99_999 }),
          restarts: fc.boolean(),
        }),
        { minLength: 30, maxLength: 60 },
      ),
      (steps) => {
        let engine = new Engine(oneShare, options);
        const kept = new Map<string, Turn['stored'][number]>();
        const history = new Map<number, number>();
        const sent: (Update & { readonly session: string })[] = [];
        let now = at('2025-12-01', '11:00');
        let version = 0;
        const keep = (turn: Turn): void => {
          for (const one of turn.stored) kept.set(one.ticker, one);
          for (const { close } of turn.closes) history.set(close.day, close.close);
        };
        for (const { minutes, cents, restarts } of steps) {
          now += minutes * minuteMs;
          keep(engine.settle(now));
          if (restarts) {
            engine = new Engine(oneShare, options);
            engine.restore([...kept.values()]);
          }
          const one = update('GGAL', now, { last: cents / 100 });
          keep(engine.apply([one], now));
          sent.push({ ...one, session: naiveSession(now) });
          const quote = latest(engine, 'GGAL') ?? assert.fail('no quote');
          const expected = naiveQuote(sent);
          assert.deepEqual({ ...expected, ...pick(quote, expected) }, expected);
          assert.ok(quote.version > version);
          version = quote.version;
        }
        const closesSent = new Map(
          sent.map((one) => [toEpochDay(one.session as PlainDate), one.last]),
        );
        closesSent.delete(toEpochDay(naiveSession(now) as PlainDate));
        for (const [day, close] of closesSent) assert.equal(history.get(day), close);
      },
    ),
    { seed: 20_251_201, numRuns: 60 },
  );
});

function pick(from: object, like: object): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(like, key)));
}

/** The BYMA session of an instant, by walking back a day at a time. */
function naiveSession(instant: number): string {
  const local = new Date(instant - 3 * 60 * minuteMs);
  const beforeOpen = local.getUTCHours() * 60 + local.getUTCMinutes() < 630;
  let day = new Date(local.getTime() - (beforeOpen ? dayMs : 0));
  const isClosed = (): boolean =>
    [0, 6].includes(day.getUTCDay()) || ['2026-01-01'].includes(day.toISOString().slice(0, 10));
  while (isClosed()) day = new Date(day.getTime() - dayMs);
  return day.toISOString().slice(0, 10);
}
