import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { fieldsIn } from '../../test/support/fields-in.ts';
import { closeOn } from '../../test/support/market/close-on.ts';
import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { CorporateAction, FactorAction } from '../domain/history/corporate-action.ts';
import { CorporateActions } from '../domain/history/corporate-actions.ts';
import { addDays, isoWeekday, toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';
import type { ChangeSet } from './change-set.ts';

const ticker = 'YPFD' as Ticker;
const options = { settleDelayMs: 15 * 60_000, nextVersion: 1 };
const universe = makeUniverse([{ ticker }, { ticker: 'GGAL' }]);

function split(date: string, factor: number): FactorAction {
  const exDay = toEpochDay(date as PlainDate);
  return { ticker, exDay, type: 'split', factor, source: 'x' };
}

function adopt(engine: Engine, ...actions: readonly CorporateAction[]): ChangeSet {
  return engine.adoptActions(new CorporateActions(actions), [ticker]);
}

/** An engine with the history of YPFD up to Friday, 2026-11-20, as traded before the split. */
function withHistory(): Engine {
  const engine = new Engine(universe, options);
  engine.adoptHistory([
    {
      ticker,
      closesReturned: 0,
      latest: { ...closeOn('2026-11-20', 44_000), volume: null },
      sessionDate: '2026-11-20' as PlainDate,
      references: {
        previous: closeOn('2026-11-19', 40_000),
        monthBase: closeOn('2026-10-30', 35_200),
        yearBase: closeOn('2025-12-30', 22_000),
      },
    },
  ]);
  return engine;
}

function shown(engine: Engine): readonly unknown[] {
  const quote = latest(engine, ticker);
  const { last, previousClose, change, monthToDatePct, yearToDatePct } = quote ?? {};
  return [last, previousClose, change?.value, monthToDatePct, yearToDatePct];
}

/** Tuesday is the first session after the holiday of Monday. */
const tuesday = (last: number) => update(ticker, at('2026-11-24', '11:00'), { last });

test('contract 2.1.4: on the ex date all three bases are divided by the factor, and before it none', () => {
  const engine = withHistory();
  adopt(engine, split('2026-11-24', 10));
  assert.deepEqual(shown(engine), [44_000, 40_000, 10, 25, 100]);
  apply(engine, tuesday(4_840));
  assert.deepEqual(shown(engine), [4_840, 4_400, 10, 37.5, 120]);
});

/** Prices of two sources that agree. They overrule the close before them. */
function tuesdayOfTwoSources(engine: Engine, last: number): void {
  for (const name of ['one', 'two']) {
    const one = tuesday(last);
    engine.apply([one], one.at, { name, delayMinutes: 0 });
  }
}

test('contract 2.1.4: an action that arrives during the session gives the quote a new version at once', () => {
  const engine = withHistory();
  tuesdayOfTwoSources(engine, 4_840);
  const before = latest(engine, ticker);
  const { quotes, stored, closes } = adopt(engine, split('2026-11-24', 10));
  assert.deepEqual(shown(engine), [4_840, 4_400, 10, 37.5, 120]);
  assert.equal(quotes.length, 1);
  assert.ok((quotes[0]?.version ?? 0) > (before?.version ?? Infinity));
  assert.deepEqual(stored[0]?.references, {
    previous: { ...closeOn('2026-11-20', 44_000), adjusted: 4_400 },
    monthBase: { ...closeOn('2026-10-30', 35_200), adjusted: 3_520 },
    yearBase: { ...closeOn('2025-12-30', 22_000), adjusted: 2_200 },
  });
  assert.deepEqual(closes, []);
  assert.deepEqual(adopt(engine, split('2026-11-24', 10)).quotes, [], 'it is in force already');
});

test('contract 2.1.4: an action that is corrected or removed gives another version', () => {
  const engine = withHistory();
  adopt(engine, split('2026-11-24', 10));
  apply(engine, tuesday(4_840));
  for (const [actions, previousClose] of [
    [[split('2026-11-24', 20)], 2_200],
    [[], 44_000],
  ] as const) {
    const { quotes } = adopt(engine, ...actions);
    assert.deepEqual(fieldsIn(quotes, 'previousClose'), [previousClose]);
  }
});

test('a restart shows the same quote under the same version, and what has changed meanwhile under a new one', () => {
  const before = withHistory();
  const { stored } = adopt(before, split('2026-11-20', 10));
  const engine = new Engine(universe, options);
  engine.restore(stored);
  assert.deepEqual(latest(engine, ticker), latest(before, ticker));
  assert.deepEqual(adopt(engine, split('2026-11-20', 10)).quotes, []);

  const later = new Engine(universe, options);
  later.restore(stored);
  const [quote, ...more] = adopt(later, split('2026-11-20', 5)).quotes;
  assert.deepEqual([quote?.previousClose, more], [8_000, []]);
  assert.equal(quote?.version, (latest(before, ticker)?.version ?? 0) + 1);
});

test('actions of an instrument that is not in the universe are ignored', () => {
  const engine = withHistory();
  const gone = 'NADA' as Ticker;
  const actions = new CorporateActions([{ ...split('2026-11-20', 10), ticker: gone }]);
  assert.deepEqual(engine.adoptActions(actions, [gone]).quotes, []);
  assert.deepEqual(shown(engine), [44_000, 40_000, 10, 25, 100]);
});

/** Sessions of some weeks to a year, with gaps, and the session on which units are replaced. */
const anyPath = fc.record({
  steps: fc.array(
    fc.record({
      days: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 20, max: 70 })),
      price: fc.integer({ min: 80, max: 120 }).map((units) => units * 1_000),
    }),
    { minLength: 2, maxLength: 25 },
  ),
  exAt: fc.nat({ max: 25 }),
  factor: fc.constantFrom(0.1, 0.5, 2, 4, 5, 10, 20),
  isLate: fc.boolean(),
});

test('contract 2.1.4: a split changes no percentage, across months, years and gaps, known before or late', () => {
  fc.assert(
    fc.property(anyPath, ({ steps, exAt, factor, isLate }) => {
      const plain = new Engine(universe, options);
      const divided = new Engine(universe, options);
      let date = '2025-10-20' as PlainDate;
      let action: FactorAction | undefined;
      for (const [index, { days, price }] of steps.entries()) {
        date = addDays(date, days);
        while (isoWeekday(toEpochDay(date)) > 5) date = addDays(date, 1);
        if (index === exAt) action = split(date, factor);
        if (action !== undefined && !isLate) adopt(divided, action);
        const instant = at(date, '12:00');
        apply(plain, update(ticker, instant, { last: price }));
        const traded = action === undefined ? price : price / factor;
        // Two sources, because a move beyond the bound is only believed of several witnesses.
        for (const name of ['one', 'two']) {
          const one = update(ticker, instant, { last: traded });
          divided.apply([one], instant, { name, delayMinutes: 0 });
        }
        if (action !== undefined && isLate) adopt(divided, action);
        const [expected, actual] = [latest(plain, ticker), latest(divided, ticker)];
        assert.equal(actual?.sessionDate, expected?.sessionDate);
        assert.deepEqual(shown(divided).slice(2), shown(plain).slice(2));
      }
    }),
    { numRuns: 60 },
  );
});
