import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CorporateAction } from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';
import {
  areInConflict,
  conflictOf,
  decideCopied,
  decideFetched,
  decideImported,
  type FetchOutcome,
} from './offered-close.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { SourceOrder } from './source-order.ts';
import type { Ticker } from '../instruments/ticker.ts';

const day = 20_000 as EpochDay;
const ticker = 'GGAL' as Ticker;
const unknown: DailyClose = { day, close: 93.89, volume: 5, open: 90, high: 95, low: 89 };
const one: DailyClose = { ...unknown, source: 'one' };

/** The configuration has the sources one and two, in this order. */
const order = new SourceOrder(['one', 'two']);

/** The decisions about offered closes, in short. */
interface Decided {
  readonly changed: readonly DailyClose[];
  readonly outcomes: readonly FetchOutcome[];
}

function decide(
  stored: readonly DailyClose[],
  offered: readonly DailyClose[],
  actions: readonly CorporateAction[] = [],
): Decided {
  const decisions = decideFetched({ stored, offered }, { order, actions });
  return {
    changed: decisions.flatMap(({ result }) => result ?? []),
    outcomes: decisions.map(({ outcome }) => outcome),
  };
}

/** The closes of a source on consecutive days. Undefined leaves a day out. */
function series(source: string, prices: readonly (number | undefined)[]): readonly DailyClose[] {
  return prices.flatMap((close, index) =>
    close === undefined ? [] : [{ day: (day + index) as EpochDay, close, volume: null, source }],
  );
}

function at(index: number): EpochDay {
  return (day + index) as EpochDay;
}

function splitOn(index: number, factor: number): CorporateAction {
  return { ticker, exDay: (day + index) as EpochDay, type: 'split', factor, source: 'one' };
}

/** The prices after a decision, with the first letter of their source. */
function after(stored: readonly DailyClose[], { changed }: Decided): readonly string[] {
  const byDay = new Map([...stored, ...changed].map((close) => [close.day, close]));
  return [...byDay.values()]
    .toSorted((a, b) => a.day - b.day)
    .map(({ close, source = '?' }) => `${source.at(0)}${close}`);
}

test('the first close of a day is stored as it is offered', () => {
  assert.deepEqual(decideImported(undefined, one), { close: one, isConflict: false });
  assert.deepEqual(decide([], [one]), { changed: [one], outcomes: ['added'] });
});

test('a source corrects its own close by at most 5 %: an adjustment for a split is a conflict, and not stored', () => {
  const stored = { day, close: 100, volume: 5, source: 'one' };
  for (const close of [105, 95, 100.01]) {
    const offered = { ...stored, close };
    assert.deepEqual(decide([stored], [offered]), { changed: [offered], outcomes: ['corrected'] });
  }
  for (const close of [105.01, 94.99, 10, 1000, -100]) {
    const offered = { ...stored, close };
    const kept = { changed: [], outcomes: ['kept'] };
    assert.deepEqual(decide([stored], [offered]), kept, String(close));
  }
  const spread = { ...stored, close: -20 };
  assert.deepEqual(decide([spread], [{ ...spread, close: -21 }]).outcomes, ['corrected']);
  assert.deepEqual(decide([spread], [{ ...spread, close: -22 }]).outcomes, ['kept']);
  const again = { ...stored, close: 10 };
  assert.deepEqual(decideImported(stored, again), { close: again, isConflict: false });
});

test('a source never changes a close of a session, of an import, of an earlier source, or of one that is not configured or not known', () => {
  for (const [source, offeredSource] of [
    ['session', 'one'],
    ['session:two', 'one'],
    ['import:x.csv', 'one'],
    ['demonstration', 'one'],
    ['three', 'one'],
    [undefined, 'one'],
    ['one', 'two'],
    ['one', 'three'],
    ['one', undefined],
    [undefined, undefined],
  ] as const) {
    const stored = { ...unknown, ...(source !== undefined && { source }) };
    const offered = {
      ...unknown,
      close: 94,
      volume: 9,
      ...(offeredSource !== undefined && { source: offeredSource }),
    };
    assert.deepEqual(decide([stored], [offered]), { changed: [], outcomes: ['kept'] });
    const equal = { ...offered, close: stored.close };
    assert.deepEqual(decide([stored], [equal]), { changed: [], outcomes: ['same'] });
  }
});

test('a source replaces the whole close of a later source', () => {
  const stored = { ...unknown, source: 'two' };
  const offered = { day, close: 94, volume: 7, source: 'one' };
  assert.deepEqual(decide([stored], [offered]), { changed: [offered], outcomes: ['replaced'] });
});

test('a source becomes the source of an equal close of a later source, which keeps the values that the source lacks', () => {
  const stored = { ...unknown, source: 'two' };
  const offered = { day, close: 93.889999, volume: 7, source: 'one' };
  const expected = { ...unknown, volume: 7, source: 'one' };
  assert.deepEqual(decide([stored], [offered]), { changed: [expected], outcomes: ['taken-over'] });
});

test('an import replaces the close of every source, and the conflict is reported', () => {
  const offered: DailyClose = { day, close: 94, volume: null, source: 'import:x.csv' };
  for (const stored of [one, unknown]) {
    assert.deepEqual(decideImported(stored, offered), {
      close: { ...unknown, close: 94, source: 'import:x.csv' },
      isConflict: true,
    });
  }
  const again = decideImported(offered, { ...offered, close: 95 });
  assert.deepEqual(again, { close: { ...offered, close: 95 }, isConflict: false });
});

test('an import of an equal close changes nothing, and is no conflict', () => {
  for (const close of [93.89, 93.889999]) {
    const decision = decideImported(one, { ...one, source: 'import:x.csv', close });
    assert.equal(decision.close, one);
    assert.equal(decision.isConflict, false);
  }
});

test('a conflict names both prices, and the sources that are known', () => {
  const offered = { day, close: 94, volume: null, source: 'two' };
  assert.equal(areInConflict(one, offered), true);
  assert.deepEqual(conflictOf(ticker, one, offered), {
    ticker,
    day,
    stored: 93.89,
    storedSource: 'one',
    offered: 94,
    offeredSource: 'two',
  });
  assert.deepEqual(conflictOf(ticker, unknown, { ...unknown, close: 94 }), {
    ticker,
    day,
    stored: 93.89,
    offered: 94,
  });
});

test('a source that agrees on an earlier day replaces closes of a later source that differ by any factor', () => {
  for (const wrong of [541_000, 2_705, 6_000]) {
    const stored = [...series('one', [5_400]), ...series('two', [undefined, wrong, wrong])];
    const decision = decide(stored, series('one', [5_400, 5_410, 5_420]));
    assert.deepEqual(after(stored, decision), ['o5400', 'o5410', 'o5420']);
    assert.deepEqual(decision.outcomes, ['same', 'replaced', 'replaced']);
  }
});

test('a source that divides the prices before a split replaces none of them, recorded or not', () => {
  const stored = [
    ...series('session:two', [1_000, 1_010]),
    ...series('two', [undefined, undefined, 1_020, 1_030, 510, 515]),
  ];
  const offered = series('one', [500, 505, 511, 516, 511, 516]);
  for (const actions of [[], [splitOn(4, 2)]]) {
    const decision = decide(stored, offered, actions);
    assert.deepEqual(after(stored, decision), ['s1000', 's1010', 't1020', 't1030', 'o511', 'o516']);
    const kept = ['kept', 'kept', 'kept', 'kept'];
    assert.deepEqual(decision.outcomes, [...kept, 'replaced', 'replaced']);
  }
});

test('a source that differs by a factor on a later day fills no day before it', () => {
  const stored = series('two', [undefined, undefined, 1_000, 500]);
  const offered = series('one', [499, 498, 497, 501]);
  const decision = decide(stored, offered);
  assert.deepEqual(after(stored, decision), ['t1000', 'o501']);
  assert.deepEqual(decision.outcomes.slice(0, 2), ['other-basis', 'other-basis']);
});

test('whatever the order of outages of two sources, the closes are those of the preferred one on every day that it offers', () => {
  const price = fc.integer({ min: 10_000, max: 10_400 }).map((cents) => cents / 100);
  const kind = fc.constantFrom('none', 'session:two', 'import:x.csv', 'old');
  const days = fc.array(
    fc.record({ one: fc.option(price), two: fc.option(price), own: price, kind }),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  /** Each run offers, of each source, the days from one to another. An outage offers none. */
  const runs = fc.array(
    fc.record({ source: fc.constantFrom('one', 'two'), from: fc.nat(29), to: fc.nat(29) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(days, runs, (all, offers) => {
      const stored = new Map<EpochDay, DailyClose>();
      const expected = new Map<EpochDay, DailyClose>();
      for (const [index, { own, kind: source }] of all.entries()) {
        if (source === 'none') continue;
        stored.set(at(index), { day: at(index), close: own, volume: null, source });
      }
      const protectedDays = new Set(stored.keys());
      for (const close of stored.values()) expected.set(close.day, close);
      for (const { source, from, to } of [...offers, { source: 'one', from: 0, to: 29 }] as const) {
        const offered = all.flatMap((prices, index) => {
          const close = source === 'one' ? prices.one : prices.two;
          if (close === null || index < from || index > to) return [];
          return [{ day: at(index), close, volume: null, source }];
        });
        const held = [...stored.values()].toSorted((a, b) => a.day - b.day);
        for (const close of decide(held, offered).changed) stored.set(close.day, close);
        for (const close of offered) {
          const isTaken = expected.get(close.day)?.source === 'one' && source === 'two';
          if (!protectedDays.has(close.day) && !isTaken) expected.set(close.day, close);
        }
      }
      assert.deepEqual(
        new Map([...stored].toSorted(([a], [b]) => a - b)),
        new Map([...expected].toSorted(([a], [b]) => a - b)),
      );
    }),
  );
});

/** The outcome for a close of another Pizarra, and the close to store. */
const decideOn = (held: DailyClose | undefined, offered: DailyClose) => {
  const stored = held === undefined ? [] : [held];
  const [decision] = decideCopied({ stored, offered: [offered] }, { order });
  assert.equal(decision?.offered, offered);
  assert.equal(decision.stored, held);
  return [decision.outcome, decision.result];
};

test('the closes of another Pizarra are stored as they are, and only those of others stay', () => {
  const bare: DailyClose = { day, close: 93.89, volume: null, source: 'one' };
  assert.deepEqual(decideOn(undefined, one), ['added', one]);
  assert.deepEqual(decideOn({ ...one }, one), ['same', undefined]);
  for (const changed of [
    { ...one, close: 938.9 },
    { ...one, volume: 0 },
    { ...one, open: 91 },
    { ...one, high: 96 },
    { ...one, low: 88 },
    bare,
  ]) {
    assert.deepEqual(decideOn(one, changed), ['corrected', changed]);
  }
  const later: DailyClose = { ...one, source: 'two' };
  assert.deepEqual(decideOn({ ...later, open: 1 }, one), ['taken-over', one]);
  assert.deepEqual(decideOn({ ...later, close: 1 }, one), ['replaced', one]);
  assert.deepEqual(decideOn(one, { ...later, close: 1 }), ['kept', undefined]);
  for (const source of ['import:x.csv', 'session', 'session:one', 'old']) {
    assert.deepEqual(decideOn({ ...one, source, open: 1 }, one), ['same', undefined]);
    assert.deepEqual(decideOn({ ...one, source, close: 94 }, one), ['kept', undefined]);
  }
  assert.deepEqual(decideOn(unknown, one), ['same', undefined]);
});
