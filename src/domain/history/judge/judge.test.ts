import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';

import type { CorporateAction } from '../corporate-action.ts';
import { instrumentKinds, type InstrumentKind } from '../../instruments/instrument.ts';
import type { EpochDay } from '../../calendar/plain-date.ts';
import type { Ticker } from '../../instruments/ticker.ts';
import { type BarOfDay, judge, judgeSeries } from './judge.ts';
import type { Judgement } from './judgement.ts';
import { isBeyondBound, isBeyondSessionBound } from './move.ts';

const day = (number: number): EpochDay => number as EpochDay;

/** The bars of consecutive days with these closes. */
function series(...closes: readonly number[]): readonly BarOfDay[] {
  return closes.map((close, index) => ({ day: day(index + 1), close }));
}

/** The verdict on each bar, with its reason or the name of its move. */
function verdicts(
  bars: readonly BarOfDay[],
  kind: InstrumentKind = 'share',
  actions: readonly CorporateAction[] = [],
): readonly string[] {
  return [...judgeSeries(bars, { kind, actions })].map(({ judgement }) => {
    const { verdict } = judgement;
    if (judgement.verdict === 'believed') return judgement.move ?? verdict;
    return `${verdict}: ${judgement.reason}`;
  });
}

const split = (exDay: number, factor: number): CorporateAction => ({
  ticker: 'GGAL' as Ticker,
  exDay: day(exDay),
  type: 'split',
  factor,
  source: 'test',
});

/** The verdict on one price. */
function judgedAlone(close: number, kind: InstrumentKind): Judgement {
  return judge({ day: day(1), close }, { kind, actions: [] });
}

test('a price is believed exactly if it is within the bound of its kind from the one before it, of its session or an earlier one', () => {
  const kinds = fc.constantFrom(...(Object.keys(instrumentKinds) as InstrumentKind[]));
  const price = fc.double({ min: 0.001, max: 1_000_000, noNaN: true });
  fc.assert(
    fc.property(kinds, price, price, fc.boolean(), (kind, before, close, isOfSession) => {
      const judged = judge(
        { day: day(2), close, report: { price: close, at: 1 } },
        {
          kind,
          actions: [],
          before: { day: day(isOfSession ? 2 : 1), close: before },
          witnesses: [],
        },
      );
      const isBeyond = isOfSession ? isBeyondSessionBound : isBeyondBound;
      assert.equal(judged.verdict === 'believed', !isBeyond(kind, before, close));
    }),
    { seed: 20_261_151, numRuns: 2_000 },
  );
});

test('a usual move is believed, and a larger one is believed with its name', () => {
  assert.deepEqual(verdicts(series(100, 101, 141.5, 139)), [
    'believed',
    'believed',
    'jump',
    'believed',
  ]);
});

test('a value that is no price is refused', () => {
  assert.deepEqual(judgedAlone(Number.NaN, 'spread'), { verdict: 'refused', reason: 'not-finite' });
  assert.deepEqual(judgedAlone(0, 'share'), { verdict: 'refused', reason: 'not-positive' });
  assert.deepEqual(judgedAlone(0, 'interest-rate'), { verdict: 'believed' });
});

test('an open, a high or a low beyond the bound of a session from the close is doubtful', () => {
  const bar = { day: day(1), close: 100, low: 90 };
  assert.deepEqual(verdicts([{ ...bar, high: 401 }], 'crypto'), ['doubtful: wide-range']);
  assert.deepEqual(verdicts([{ ...bar, high: 400 }], 'crypto'), ['believed']);
  assert.deepEqual(verdicts([{ ...bar, high: 5_000 }], 'interest-rate'), ['believed']);
  for (const side of ['open', 'high', 'low'] as const) {
    const value = side === 'low' ? 1 : 1_000;
    const range = { low: 90, high: 110, [side]: value };
    if (side === 'open') Object.assign(range, { high: 1_000 });
    assert.deepEqual(verdicts([{ day: day(1), close: 100, ...range }]), ['doubtful: wide-range']);
  }
});

test('a single price beyond the bound of its kind is doubtful, and at the bound it is believed', () => {
  for (const [kind, { moveFactorMax }] of Object.entries(instrumentKinds)) {
    if (moveFactorMax === null) continue;
    const judged = (factor: number) =>
      verdicts(series(100, 100 * factor, 100, 100), kind as InstrumentKind)[1] ?? '';
    assert.match(judged(moveFactorMax * 1.001), /^doubtful/, kind);
    assert.match(judged(0.999 / moveFactorMax), /^doubtful/, kind);
    assert.doesNotMatch(judged(moveFactorMax), /^doubtful/, kind);
    assert.doesNotMatch(judged(1 / moveFactorMax), /^doubtful/, kind);
  }
  assert.doesNotMatch(verdicts(series(1, 1_000, 1), 'spread')[1] ?? '', /^doubtful/);
});

test('a power of ten is named a slip of the decimal point, another factor is far from its neighbours', () => {
  assert.equal(verdicts(series(100, 1_000, 101))[1], 'doubtful: decimal-slip');
  assert.equal(verdicts(series(100, 9_500, 101))[1], 'doubtful: decimal-slip');
  assert.equal(verdicts(series(100, 0.1, 101), 'bond')[1], 'doubtful: decimal-slip');
  assert.equal(verdicts(series(100, 22, 101), 'bond')[1], 'doubtful: far-from-neighbours');
});

test('a first price is doubtful if the two after it agree with each other and not with it', () => {
  for (const [prices, verdict] of [
    [[22, 100, 101], 'doubtful: far-from-neighbours'],
    [[1_000, 100, 101], 'doubtful: decimal-slip'],
    [[100, 1_000, 101], 'believed'],
    [[100, 101, 1_000], 'believed'],
    [[100, 1_000, 10], 'believed'],
    [[22, 100], 'believed'],
  ] as const) {
    assert.equal(verdicts(series(...prices), 'bond')[0], verdict, prices.join());
  }
});

test('a split that is not recorded is believed once it lasts for three prices, and is named', () => {
  assert.deepEqual(verdicts(series(501, 500, 99, 100, 101)).slice(2), [
    'unrecorded-split',
    'believed',
    'believed',
  ]);
  assert.deepEqual(verdicts(series(501, 500, 99, 100)).slice(2), [
    'doubtful: unrecorded-split',
    'doubtful: unrecorded-split',
  ]);
});

test('a recorded split moves the neighbours to one basis, so its prices are usual moves and a slip beside it is found', () => {
  assert.deepEqual(verdicts(series(500, 99, 100), 'share', [split(2, 5)]), [
    'believed',
    'believed',
    'believed',
  ]);
  assert.equal(
    verdicts(series(500, 50_500, 505, 101), 'share', [split(4, 5)])[1],
    'doubtful: decimal-slip',
  );
});

test('a first price is believed unless the two after it agree that it is wrong', () => {
  assert.deepEqual(verdicts(series(541_000, 5_700)), ['believed', 'doubtful: decimal-slip']);
  assert.deepEqual(verdicts(series(570_000, 5_700, 5_710)), [
    'doubtful: decimal-slip',
    'believed',
    'believed',
  ]);
});

test('a neighbour of more than 45 days before is not compared with', () => {
  const bars = [
    { day: day(1), close: 100 },
    { day: day(47), close: 9_000 },
  ];
  assert.deepEqual(verdicts(bars), ['believed', 'believed']);
});

test('one slipped close in any series of usual moves is doubtful, and no other close is', () => {
  const moves = fc.array(fc.double({ min: 0.7, max: 1.4, noNaN: true }), {
    minLength: 3,
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      moves,
      fc.nat(),
      fc.constantFrom(-4, -3, -2, 2, 3, 4),
      fc.constantFrom('share', 'bond', 'exchange-rate', 'index'),
      (factors, place, power, kind) => {
        const closes = [100];
        for (const factor of factors) closes.push((closes.at(-1) ?? 100) * factor);
        const slipped = place % closes.length;
        const bars = series(...closes).map((bar, index) =>
          index === slipped ? { ...bar, close: bar.close * 10 ** power } : bar,
        );
        const doubtful = verdicts(bars, kind as InstrumentKind).flatMap((verdict, index) =>
          verdict.startsWith('doubtful') ? [index] : [],
        );
        assert.deepEqual(doubtful, [slipped]);
      },
    ),
  );
});
