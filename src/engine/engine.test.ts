import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { Quote } from '../domain/quotes/quote.ts';
import type { ReferenceClose } from '../domain/history/reference-closes.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import type { Update } from '../domain/quotes/update.ts';
import { closeOn } from '../../test/support/market/close-on.ts';
import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { Engine } from './engine.ts';
import type { Turn } from './turn.ts';

const minuteMs = 60_000;
const options = { settleDelayMs: 15 * minuteMs, nextVersion: 1 };

/** Passes the whole history of one instrument to the engine. */
function importCloses(engine: Engine, ticker: string, closes: readonly [string, number][]): Turn {
  const [date, value] = closes.at(-1) ?? assert.fail('no closes');
  const last: DailyClose = { day: toEpochDay(date as PlainDate), close: value, volume: null };
  const sessionDate = engine.referenceSession(ticker as Ticker, last) ?? assert.fail('no session');
  const before = (bound: string): ReferenceClose | undefined => {
    const found = closes.findLast(([day]) => day < bound);
    return found === undefined ? undefined : closeOn(...found);
  };
  const [previous, monthBase, yearBase] = [
    before(sessionDate),
    before(`${sessionDate.slice(0, 8)}01`),
    before(`${sessionDate.slice(0, 5)}01-01`),
  ];
  return engine.adoptHistory([
    {
      ticker: ticker as Ticker,
      closesReturned: engine.closesReturned(ticker as Ticker),
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

test('the first price of a session is its open, and the next ones change last, high, low and volume', () => {
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

test('a correction of open, high, low or previous close by the source is adopted', () => {
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

test('a repeated update changes nothing and makes no new version', () => {
  const engine = new Engine(oneShare, options);
  const one = update('GGAL', at('2026-11-20', '10:31'), { last: 100, volume: 5 });
  apply(engine, one);
  const before = latest(engine, 'GGAL');
  const { outcome, quotes, stored } = apply(engine, one);
  assert.equal(outcome, 'unchanged');
  assert.deepEqual([quotes, stored], [[], []]);
  assert.equal(latest(engine, 'GGAL'), before);
});

test("a later session writes the earlier one's close to history and starts from its own update", () => {
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
        source: 'session',
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

test('an update of an earlier session does not change the quote', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '10:31'), { last: 100 }));
  const before = latest(engine, 'GGAL');
  const turn = apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 1, high: 999 }));
  assert.equal(turn.outcome, 'earlier-session');
  assert.deepEqual([turn.quotes, turn.closes], [[], []]);
  assert.equal(latest(engine, 'GGAL'), before);
});

test('an implausible update is refused with its reason and changes nothing', () => {
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
    [update('GGAL', -8.64e20, { last: 10 }), 'before-1990'],
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

test('contract 2.6.4: a session enters history once, when it has closed and settled', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100 }));
  assert.deepEqual(engine.settle(at('2026-11-20', '17:14')).closes, []);
  const settled = engine.settle(at('2026-11-20', '17:15'));
  assert.equal(settled.closes[0]?.close.close, 100);
  assert.deepEqual(settled.quotes, [], 'what the quote shows has not changed');
  const night = at('2026-11-20', '20:00');
  assert.deepEqual(engine.settle(night).closes, []);
  // A late update of the session reaches history at the next settlement.
  const late = engine.apply([update('GGAL', at('2026-11-20', '17:10'), { last: 101 })], night);
  assert.deepEqual(late.outcomes, ['accepted']);
  assert.equal(engine.settle(night).closes[0]?.close.close, 101);
});

test('a session that closes early settles early', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-12-24', '14:59'), { last: 100 }));
  assert.equal(engine.settle(at('2026-12-24', '15:15')).closes.length, 1);
});

test('before any source sends an update, quotes come from the closes in history', () => {
  const engine = new Engine(oneShare, options);
  const { quotes } = importCloses(engine, 'GGAL', [
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

test('at the start of a year, the bases of month and year are the last close before it', () => {
  const engine = new Engine(oneShare, options);
  importCloses(engine, 'GGAL', [
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

test("a correction of history changes the quotes at once; the engine's own closes read back do not", () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 100 }));
  engine.settle(at('2026-11-19', '18:00'));
  apply(engine, update('GGAL', at('2026-11-19', '17:01'), { last: 103 }));
  const version = latest(engine, 'GGAL')?.version;
  importCloses(engine, 'GGAL', [['2026-11-19', 100]]);
  assert.equal(latest(engine, 'GGAL')?.version, version, 'our own word');
  importCloses(engine, 'GGAL', [
    ['2026-11-18', 50],
    ['2026-11-19', 101],
  ]);
  const corrected = latest(engine, 'GGAL');
  assert.deepEqual(
    [corrected?.last, corrected?.previousClose, corrected?.change?.value],
    [101, 50, 102],
  );
});

test('history facts of a session that is over are ignored, and their instruments are reported as stale', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 100 }));
  const ticker = 'GGAL' as Ticker;
  const sessionDate = engine.referenceSession(ticker, undefined) ?? assert.fail('no session');
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 110 }));
  const { stale } = engine.adoptHistory([
    { ticker, closesReturned: 0, sessionDate, references: { previous: closeOn('2026-11-18', 1) } },
  ]);
  assert.deepEqual(stale, ['GGAL']);
  assert.equal(latest(engine, 'GGAL')?.previousClose, 100);
});

test('history facts read before a close was returned for history are ignored, because they may show the close before', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-20', '16:59'), { last: 100 }));
  engine.settle(at('2026-11-20', '17:15'));
  const ticker = 'GGAL' as Ticker;
  const closesReturned = engine.closesReturned(ticker);
  const latestThen = { day: toEpochDay('2026-11-20' as PlainDate), close: 100, volume: null };
  apply(engine, update('GGAL', at('2026-11-20', '17:14'), { last: 103 }));
  engine.settle(at('2026-11-20', '17:16'));
  const { stale, quotes } = engine.adoptHistory([
    {
      ticker,
      closesReturned,
      latest: latestThen,
      sessionDate: '2026-11-20' as PlainDate,
      references: {},
    },
  ]);
  assert.deepEqual([stale, quotes], [['GGAL'], []]);
  assert.equal(latest(engine, 'GGAL')?.last, 103);
});

test('after a restart, quotes and versions are as before, and the next version is higher', () => {
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

/** A quote without its version. */
function shown(engine: Engine): unknown {
  return { ...latest(engine, 'GGAL'), version: 0 };
}

/**
 * A consistent session: prices in time order, none of which moves too far to be believed at once, and
 * a source that sometimes reports range and volume.
 */
const consistentSession = fc
  .array(fc.record({ cents: fc.integer({ min: 33_334, max: 100_000 }), tells: fc.boolean() }), {
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
      consistentSession.chain((session) =>
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

test('updates in one batch or one by one give the same quote', () => {
  fc.assert(
    fc.property(consistentSession, (session) => {
      const now = at('2026-11-20', '16:00');
      const batched = new Engine(oneShare, options);
      batched.apply(session, now);
      const single = new Engine(oneShare, options);
      for (const one of session) single.apply([one], now);
      assert.deepEqual(shown(batched), shown(single));
    }),
  );
});

test("a session's close in history equals its last quote", () => {
  fc.assert(
    fc.property(consistentSession, (session) => {
      const engine = new Engine(oneShare, options);
      engine.apply(session, at('2026-11-20', '16:00'));
      const quote = latest(engine, 'GGAL');
      const next = { last: quote?.last ?? assert.fail('no quote') };
      const { closes } = apply(engine, update('GGAL', at('2026-11-24', '11:00'), next));
      assert.deepEqual(closes[0]?.close, {
        day: toEpochDay('2026-11-20' as PlainDate),
        close: quote?.last,
        volume: quote?.volume,
        open: quote?.open,
        high: quote?.high,
        low: quote?.low,
        source: 'session',
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

test('derived instruments change in the same call as their inputs, with a range of their own', () => {
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
      ['AL30', 93_000],
      ['DOLAR MEP', 1550],
      ['DOLAR CCL', 1860],
      ['MEP-CCL', 20],
    ],
  );
  const mep = latest(engine, 'DOLAR MEP');
  assert.deepEqual([mep?.open, mep?.low, mep?.high, mep?.volume], [1500, 1500, 1550, null]);
});

test('a derived value exists only while its inputs are of one session', () => {
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

test('a scaled instrument uses the factor that applies on the session date, and an alias the same value', () => {
  const engine = new Engine(dollars(), options);
  apply(engine, update('DOLAR OFICIAL VENTA', at('2026-11-19', '12:00'), { last: 1000 }));
  assert.equal(latest(engine, 'DOLAR TARJETA')?.last, 1600);
  apply(engine, update('DOLAR OFICIAL VENTA', at('2026-11-20', '12:00'), { last: 1001 }));
  assert.equal(latest(engine, 'DOLAR TARJETA')?.last, 1301.3);
  assert.equal(latest(engine, 'DOLAR OFICIAL')?.last, 1001);
});

test('an imported close of a derived instrument is kept, also after a restart, until an input changes', () => {
  const noon = at('2026-11-20', '12:00');
  const engine = new Engine(dollars(), options);
  engine.apply([update('AL30', noon, { last: 90_000 }), update('AL30D', noon, { last: 60 })], noon);
  const night = at('2026-11-20', '20:00');
  engine.settle(night);
  const { stored } = importCloses(engine, 'DOLAR MEP', [['2026-11-20', 1510]]);
  assert.equal(latest(engine, 'DOLAR MEP')?.last, 1510);
  importCloses(engine, 'AL30C', [['2026-11-19', 1]]);
  assert.deepEqual(engine.settle(night + minuteMs).closes, []);

  const restarted = new Engine(dollars(), options);
  const inputs = ['AL30', 'AL30D'].map((one) => storedOf(engine, one));
  restarted.restore([...stored, ...inputs]);
  importCloses(restarted, 'AL30', [['2026-11-20', 90_000]]);
  assert.equal(latest(restarted, 'DOLAR MEP')?.last, 1510);

  importCloses(restarted, 'AL30', [['2026-11-20', 93_000]]);
  assert.equal(latest(restarted, 'DOLAR MEP')?.last, 1550);
});

/** The stored state of an instrument whose session is in history. */
function storedOf(engine: Engine, one: string): Turn['stored'][number] {
  const quote = latest(engine, one) ?? assert.fail('no quote');
  return {
    ticker: ticker(one),
    version: quote.version,
    session: { ...quote, openAt: null, isInHistory: true, historyClose: quote.last },
    references: {},
  };
}

test('a derived value that is not finite is ignored, whatever the size of its inputs', () => {
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

test('a derived instrument accepts no updates of its own', () => {
  const engine = new Engine(dollars(), options);
  const { outcome } = apply(engine, update('DOLAR MEP', at('2026-11-20', '12:00'), { last: 1 }));
  assert.deepEqual(outcome, { refused: 'derived' });
});

test('without a source, a derived instrument shows its own closes, and none are derived from its inputs', () => {
  const engine = new Engine(dollars(), options);
  importCloses(engine, 'AL30', [['2026-11-19', 90_000]]);
  importCloses(engine, 'AL30D', [['2026-11-19', 60]]);
  assert.equal(latest(engine, 'DOLAR MEP'), undefined);
  importCloses(engine, 'DOLAR MEP', [['2026-11-18', 1490]]);
  assert.equal(latest(engine, 'DOLAR MEP')?.last, 1490);
  assert.deepEqual(engine.settle(at('2026-11-20', '08:00')).closes, []);
});

/** The quote that the engine must show, computed naively from all updates ever sent. */
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
  // In cents, so that the arithmetic is exact.
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

test('over months with holidays, a year end and restarts, every quote equals that of a naive model', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          minutes: fc.integer({ min: 1, max: 1500 }),
          // At most three times any other price: a move beyond four times is not believed at once.
          cents: fc.integer({ min: 33_334, max: 99_999 }),
          restarts: fc.boolean(),
        }),
        { minLength: 40, maxLength: 90 },
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
          const { outcomes, ...turn } = engine.apply([one], now);
          keep(turn);
          const session = naiveSession(now);
          assert.deepEqual(outcomes, [session === undefined ? 'off-hours' : 'accepted']);
          if (session === undefined) continue;
          sent.push({ ...one, session });
          const quote = latest(engine, 'GGAL') ?? assert.fail('no quote');
          const expected = naiveQuote(sent);
          assert.deepEqual({ ...expected, ...pick(quote, expected) }, expected);
          assert.ok(quote.version > version);
          version = quote.version;
        }
        const closesSent = new Map(
          sent.map((one) => [toEpochDay(one.session as PlainDate), one.last]),
        );
        const lastDay = sent.at(-1)?.session;
        if (lastDay !== undefined) closesSent.delete(toEpochDay(lastDay as PlainDate));
        for (const [day, close] of closesSent) assert.equal(history.get(day), close);
      },
    ),
    { seed: 20_251_201, numRuns: 40 },
  );
});

function pick(from: object, like: object): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(like, key)));
}

/** The BYMA session whose hours, with a settle delay of 15 minutes, contain an instant. */
function naiveSession(instant: number): string | undefined {
  const local = new Date(instant - 3 * 60 * minuteMs);
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const day = local.toISOString().slice(0, 10);
  const isClosed = [0, 6].includes(local.getUTCDay()) || day === '2026-01-01';
  return isClosed || minute < 630 || minute > 1035 ? undefined : day;
}
