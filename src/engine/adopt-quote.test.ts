import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, latest, update } from '../../test/support/market/drive-engine.ts';
import { followed } from '../../test/support/market/followed.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import { CorporateActions } from '../domain/history/corporate-actions.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { FollowedQuote } from '../domain/quotes/followed-quote.ts';
import type { Update } from '../domain/quotes/update.ts';
import { Engine } from './engine.ts';

/** Monday, the 23rd, is a holiday. */
const [friday, tuesday] = ['2026-11-20', '2026-11-24'];
const ggal = 'GGAL' as Ticker;
const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'AL30' },
  { ticker: 'AL30D' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: 'AL30' as Ticker, denominator: 'AL30D' as Ticker },
  },
]);
const office = { name: 'oficina', delayMinutes: undefined };
const settleDelayMs = 900_000;

function makeEngine(): Engine {
  return new Engine(universe, { settleDelayMs, nextVersion: 1 });
}

/** Adopts quotes at their instants. @returns the outcome of the last one. */
function adopt(engine: Engine, ...updates: readonly Update[]): unknown {
  const outcomes = updates.map((one) => engine.apply([one], one.at, office).outcomes[0]);
  return outcomes.at(-1);
}

/** A quote of GGAL at a time of Friday. */
function quote(
  time: string,
  said: Omit<Update, 'ticker' | 'at'>,
  others: Partial<FollowedQuote> = {},
): Update {
  return followed('GGAL', at(friday, time), said, { sessionDate: friday, ...others });
}

const changes = { previousClose: 95, change: 5.26, monthToDatePct: -1.5, yearToDatePct: null };

test('a quote is adopted as it is: prices, changes, book and source, whatever history says', () => {
  const engine = makeEngine();
  const said = { last: 100, open: 96, high: 101, low: 94, volume: 7, bid: 99, askSize: 3 };
  assert.equal(adopt(engine, quote('12:00', said, { changes })), 'accepted');
  const { session: _, ...shown } = { ...latest(engine, 'GGAL'), session: undefined };
  assert.partialDeepStrictEqual(shown, {
    sessionDate: friday,
    asOf: at(friday, '12:00'),
    last: 100,
    open: 96,
    high: 101,
    low: 94,
    volume: 7,
    previousClose: 95,
    change: { value: 5.26, unit: 'percent' },
    monthToDatePct: -1.5,
    yearToDatePct: null,
    source: { name: 'byma', delayMinutes: 20, via: 'oficina' },
  });
  assert.partialDeepStrictEqual(shown.book ?? {}, { bid: 99, askSize: 3, ask: undefined });
  const references = { previous: { day: toEpochDay('2026-11-19' as PlainDate), close: 50 } };
  const { quotes, stored } = engine.adoptHistory([
    { ticker: ggal, closesReturned: 0, sessionDate: friday as PlainDate, references },
  ]);
  assert.deepEqual([quotes.length, stored[0]?.references], [0, references]);
  assert.equal(latest(engine, 'GGAL')?.previousClose, 95);
});

test('a price that a source of this service would have to confirm is adopted at once', () => {
  const engine = makeEngine();
  adopt(engine, quote('12:00', { last: 100 }));
  assert.equal(adopt(engine, quote('12:01', { last: 5_000 })), 'accepted');
  assert.equal(latest(engine, 'GGAL')?.last, 5_000);
});

test('a field that the quote no longer has is absent, and a corrected range is adopted', () => {
  const engine = makeEngine();
  const full = {
    last: 100,
    open: 96,
    high: 120,
    low: 94,
    volume: 7,
    bid: 99,
    bidSize: 2,
    trades: 4,
  };
  adopt(engine, quote('12:00', full, { changes }));
  adopt(engine, quote('12:01', { last: 100, high: 101, low: 95, volume: 6, bid: 99 }));
  const shown = latest(engine, 'GGAL');
  assert.deepEqual([shown?.high, shown?.low, shown?.open, shown?.volume], [101, 95, undefined, 6]);
  assert.deepEqual(
    [shown?.book?.bid, shown?.book?.bidSize, shown?.book?.trades],
    [99, undefined, undefined],
  );
  assert.deepEqual([shown?.previousClose, shown?.change], [undefined, null]);
  adopt(engine, quote('12:02', { last: 100 }));
  assert.equal(latest(engine, 'GGAL')?.book, undefined);
});

test('a repeated quote changes nothing, and one from before the held one neither', () => {
  const engine = makeEngine();
  adopt(engine, quote('12:00', { last: 100, bid: 99 }));
  const before = latest(engine, 'GGAL');
  assert.equal(adopt(engine, quote('12:00', { last: 100, bid: 99 })), 'unchanged');
  assert.equal(adopt(engine, quote('11:59', { last: 90 })), 'unchanged');
  const noInstant = followed(
    'GGAL',
    at(friday, '10:30'),
    { last: 90 },
    { sessionDate: friday, hasInstant: false },
  );
  assert.equal(adopt(engine, noInstant), 'unchanged');
  const earlier = followed(
    'GGAL',
    at('2026-11-19', '12:00'),
    { last: 90 },
    { sessionDate: '2026-11-19' },
  );
  assert.equal(adopt(engine, earlier), 'earlier-session');
  assert.equal(latest(engine, 'GGAL'), before);
});

test('a quote that differs in any one field is a change for every client', () => {
  const said = { last: 100, open: 96, high: 101, low: 94, volume: 7 };
  for (const [other, shown] of [
    [quote('12:01', said, { changes }), { asOf: at(friday, '12:01') }],
    ...(['last', 'open', 'high', 'low', 'volume'] as const).map((field) => {
      const changed = { [field]: said[field] + 0.5 };
      return [quote('12:00', { ...said, ...changed }, { changes }), changed] as const;
    }),
    [quote('12:00', said, { changes: { ...changes, monthToDatePct: -2 } }), { monthToDatePct: -2 }],
  ] as const) {
    const engine = makeEngine();
    adopt(engine, quote('12:00', said, { changes }));
    assert.equal(adopt(engine, other), 'accepted', JSON.stringify(shown));
    const { session: _, ...after } = { ...latest(engine, 'GGAL'), session: undefined };
    assert.partialDeepStrictEqual(after, { ...shown, plainVersion: undefined });
  }
});

test('the volume of a quote is null if it has none, or if its instrument has none', () => {
  const engine = makeEngine();
  adopt(engine, quote('12:00', { last: 100 }));
  const rate = { last: 1_234, volume: 5 };
  adopt(engine, followed('DOLAR MEP', at(friday, '12:00'), rate, { sessionDate: friday }));
  assert.deepEqual(
    ['GGAL', 'DOLAR MEP'].map((ticker) => latest(engine, ticker)?.volume),
    [null, null],
  );
});

test('a change of the book alone is no change for a client of the plain quote, and one of the delay is', () => {
  const engine = makeEngine();
  adopt(engine, quote('12:00', { last: 100, bid: 99 }));
  const first = latest(engine, 'GGAL');
  adopt(engine, quote('12:00', { last: 100, bid: 98 }));
  const second = latest(engine, 'GGAL');
  assert.deepEqual([second?.book?.bid, second?.plainVersion], [98, first?.version]);
  const source = { name: 'byma', delayMinutes: 0 };
  adopt(engine, quote('12:00', { last: 100, bid: 98 }, { source }));
  const third = latest(engine, 'GGAL');
  assert.deepEqual([third?.source?.delayMinutes, third?.plainVersion], [0, undefined]);
  assert.ok((third?.version ?? 0) > (second?.version ?? 0));
});

test('a quote without an instant begins a session, and one with an instant follows it', () => {
  const engine = makeEngine();
  const imported = followed(
    'GGAL',
    at(friday, '10:30'),
    { last: 90 },
    { sessionDate: friday, hasInstant: false, source: {} },
  );
  assert.equal(adopt(engine, imported), 'accepted');
  assert.deepEqual(
    [latest(engine, 'GGAL')?.asOf, latest(engine, 'GGAL')?.source],
    [undefined, { via: 'oficina' }],
  );
  adopt(engine, quote('12:00', { last: 100 }));
  assert.equal(latest(engine, 'GGAL')?.asOf, at(friday, '12:00'));
});

test('a quote of a day that is no session by the calendar here, or without a price, is not adopted', () => {
  const engine = makeEngine();
  const saturday = followed(
    'GGAL',
    at('2026-11-21', '12:00'),
    { last: 1 },
    { sessionDate: '2026-11-21' },
  );
  assert.equal(adopt(engine, saturday), 'off-hours');
  assert.deepEqual(adopt(engine, quote('12:00', { volume: 1 })), { refused: 'no-last' });
  assert.deepEqual(adopt(engine, quote('12:00', { last: -1 })), { refused: 'not-positive' });
});

/** The closes that the engine returns when Tuesday begins with a quote that shows a previous close. */
function closesOf(engine: Engine, previousClose: number | undefined, date = tuesday) {
  const shown = { previousClose, change: null, monthToDatePct: null, yearToDatePct: null };
  const next = followed(
    'GGAL',
    at(date, '11:00'),
    { last: 101 },
    { sessionDate: date, changes: shown },
  );
  const { closes } = engine.apply([next], next.at, office);
  return closes.map(({ close: { day, close, high, low, source } }) => [
    day,
    close,
    high,
    low,
    source,
  ]);
}

test('a close whose last prices were missed is that which the next session is compared with', () => {
  const day = toEpochDay(friday as PlainDate);
  const cases = [
    [102, [day, 102, 102, 98, 'oficina']],
    [97, [day, 97, 101, 97, 'oficina']],
    [undefined, [day, 100, 101, 98, 'oficina']],
    // Beyond a correction, it may be on another basis.
    [50, [day, 100, 101, 98, 'oficina']],
  ] as const;
  for (const [previousClose, expected] of cases) {
    const engine = makeEngine();
    adopt(engine, quote('16:00', { last: 100, high: 101, low: 98 }));
    assert.deepEqual(closesOf(engine, previousClose), [expected], String(previousClose));
  }
  const withoutRange = makeEngine();
  adopt(withoutRange, quote('16:00', { last: 100 }));
  assert.deepEqual(closesOf(withoutRange, 102), [[day, 102, undefined, undefined, 'oficina']]);
});

test('the previous close of a later session, or on another basis, corrects no close', () => {
  const later = makeEngine();
  adopt(later, quote('16:00', { last: 100 }));
  assert.deepEqual(closesOf(later, 102, '2026-11-25')[0]?.[1], 100);
  const split = makeEngine();
  adopt(split, quote('16:00', { last: 100 }));
  const action = { ticker: ggal, type: 'split', factor: 1.04, source: 'x' } as const;
  const exDay = toEpochDay(tuesday as PlainDate);
  split.adoptActions(new CorporateActions([{ ...action, exDay }]), [ggal]);
  assert.deepEqual(closesOf(split, 102)[0]?.[1], 100);
});

test('a derived instrument is taken from the service, and derived here from the first other input on', () => {
  const engine = makeEngine();
  const noon = at(friday, '12:00');
  const mep = followed(
    'DOLAR MEP',
    noon,
    { last: 1_234, high: 1_300 },
    { sessionDate: friday, source: { delayMinutes: 20 } },
  );
  const inputs = [
    followed('AL30', noon, { last: 1_000 }, { sessionDate: friday }),
    followed('AL30D', noon, { last: 1 }, { sessionDate: friday }),
  ];
  adopt(engine, mep, ...inputs);
  const taken = latest(engine, 'DOLAR MEP');
  assert.deepEqual([taken?.last, taken?.high], [1_234, 1_300]);
  assert.deepEqual(taken?.source, { delayMinutes: 20, via: 'oficina' });
  engine.apply([update('AL30', noon + 1_000, { last: 1_010 })], noon + 1_000, {
    name: 'push',
    delayMinutes: 0,
  });
  const derived = latest(engine, 'DOLAR MEP');
  assert.deepEqual([derived?.last, derived?.source], [1_010, { delayMinutes: 20 }]);
  const { outcomes } = engine.apply([update('DOLAR MEP', noon, { last: 1 })], noon, office);
  assert.deepEqual(outcomes, [{ refused: 'derived' }]);
});

test('from the first price of a source of this service on, the changes are computed here', () => {
  const engine = makeEngine();
  adopt(engine, quote('12:00', { last: 100, bid: 99 }, { changes: { ...changes, change: 77 } }));
  const own = update('GGAL', at(friday, '12:01'), { last: 190 });
  engine.apply([own], own.at, { name: 'byma', delayMinutes: 0 });
  const shown = latest(engine, 'GGAL');
  assert.deepEqual([shown?.change?.value, shown?.monthToDatePct], [100, null]);
  assert.deepEqual([shown?.book, shown?.source], [undefined, { name: 'byma', delayMinutes: 0 }]);
});

test('a restored quote shows the changes that were adopted', () => {
  const engine = makeEngine();
  const one = quote('12:00', { last: 100 }, { changes });
  const { stored } = engine.apply([one], one.at, office);
  const restarted = makeEngine();
  restarted.restore(stored);
  assert.deepEqual(restarted.quotes(), engine.quotes());
});
