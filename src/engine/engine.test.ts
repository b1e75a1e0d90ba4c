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
import type { ChangeSet } from './change-set.ts';

const minuteMs = 60_000;
const options = { settleDelayMs: 15 * minuteMs, nextVersion: 1 };

/** Passes the whole history of one instrument to the engine. */
function importCloses(
  engine: Engine,
  ticker: string,
  closes: readonly [string, number][],
): ChangeSet {
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
        const kept = new Map<string, ChangeSet['stored'][number]>();
        const history = new Map<number, number>();
        const sent: (Update & { readonly session: string })[] = [];
        let now = at('2025-12-01', '11:00');
        let version = 0;
        const keep = (changes: ChangeSet): void => {
          for (const one of changes.stored) kept.set(one.ticker, one);
          for (const { close } of changes.closes) history.set(close.day, close.close);
        };
        for (const { minutes, cents, restarts } of steps) {
          now += minutes * minuteMs;
          keep(engine.settle(now));
          if (restarts) {
            engine = new Engine(oneShare, options);
            engine.restore([...kept.values()]);
          }
          const one = update('GGAL', now, { last: cents / 100 });
          const { outcomes, ...changes } = engine.apply([one], now);
          keep(changes);
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
