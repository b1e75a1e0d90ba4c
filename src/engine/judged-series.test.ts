import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { closeOn } from '../../test/support/market/close-on.ts';
import { at, update } from '../../test/support/market/drive-engine.ts';
import { JudgedMarket } from '../../test/support/market/judged-market.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import type { ReportSource } from './doubted-updates.ts';

/** Contract 2.1.9, 2.6.9: over series of prices with slips, splits, outages and restarts. */

const thursday = '2026-11-19';
const friday = '2026-11-20';
const open = at(friday, '10:30');
const second = 1_000;
const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'BTC', kind: 'crypto' },
  { ticker: 'RIESGO', kind: 'country-risk' },
  { ticker: 'LEG' },
  { ticker: 'SAME', derivation: { type: 'alias', source: 'GGAL' as Ticker } },
  ...['GGAL', 'BTC', 'RIESGO'].map((ticker) => ({
    ticker: `${ticker}/LEG`,
    derivation: {
      type: 'ratio',
      numerator: ticker as Ticker,
      denominator: 'LEG' as Ticker,
    } as const,
  })),
]);

const prices = ['last', 'open', 'high', 'low', 'previousClose', 'close'] as const;
type PriceField = (typeof prices)[number];

/** A session of usual moves of a source that sometimes reports range, volume and previous close. */
const session = fc
  .array(
    fc.record({
      percent: fc.integer({ min: -200, max: 200 }).map((hundredths) => hundredths / 100),
      seconds: fc.integer({ min: 1, max: 200 }),
      tells: fc.boolean(),
    }),
    { minLength: 2, maxLength: 30 },
  )
  .map((steps) => {
    let last = 1_000;
    let instant = open;
    const soFar: number[] = [];
    const updates = steps.map(({ percent, seconds, tells }, index): Update => {
      last = Math.round(last * (1 + percent / 100) * 100) / 100;
      instant += seconds * second;
      soFar.push(last);
      const [high, low] = [Math.max(...soFar), Math.min(...soFar)];
      const told = { open: soFar[0], high, low, volume: index, previousClose: 1_000 };
      return update('GGAL', instant, { last, ...(tells ? told : {}) });
    });
    return [...updates, update('GGAL', at(friday, '17:05'), { close: last })];
  });

const power = fc.constantFrom(-4, -3, -2, -1, 1, 2, 3, 4);

/** Everything that is shown or stored of the prices of a market, without versions. */
function shown(market: JudgedMarket): unknown {
  const quotes = market.engine.quotes().map((one) => ({ ...one, version: 0, plainVersion: 0 }));
  return { quotes, bars: market.bars };
}

/** A market in which the service has a close of Thursday, or nothing. */
function marketWith(hasClose: boolean, close = 1_000): JudgedMarket {
  const market = new JudgedMarket(universe);
  if (!hasClose) return market;
  for (const ticker of ['GGAL', 'SAME']) market.adopt(ticker, [thursday, close], { references });
  return market;
}

const references = {
  previous: closeOn('2026-11-18', 990),
  monthBase: closeOn('2026-10-30', 900),
  yearBase: closeOn('2025-12-30', 800),
};

test('one slip at any place and in any field of a session is shown nowhere, and every other price is shown at once', () => {
  const fields = fc.oneof(
    fc.constant(prices),
    fc.subarray([...prices], { minLength: 1 }),
    fc.constantFrom(...prices).map((field) => [field]),
  );
  fc.assert(
    fc.property(session, fc.nat(), fields, power, fc.boolean(), (updates, nat, slips, ten, has) => {
      // Without a close, the first price of the session has no believed price before it.
      const place = has ? nat % updates.length : 1 + (nat % (updates.length - 1));
      const slippedMarket = marketWith(has);
      const clean = marketWith(has);
      for (const [index, one] of updates.entries()) {
        if (index !== place) {
          const [outcome] = [slippedMarket.sendOne(one), clean.sendOne(one)];
          assert.ok(outcome === 'accepted' || outcome === 'unchanged', JSON.stringify(outcome));
        } else {
          slippedMarket.sendOne(slipped(one, slips, ten));
          const rest = truePart(one, slips);
          if (rest !== undefined) clean.sendOne(rest);
        }
        assert.deepEqual(shown(slippedMarket), shown(clean));
      }
      const night = at(friday, '17:30');
      assert.deepEqual(
        slippedMarket.settle(night).closes.map(({ close }) => close),
        clean.settle(night).closes.map(({ close }) => close),
      );
      assert.deepEqual(shown(slippedMarket), shown(clean));
      assert.ok(!slippedMarket.reports().includes('confirmed'));
      assert.ok(!slippedMarket.reports().includes('set-aside'));
    }),
    { seed: 20_261_147, numRuns: 400 },
  );
});

/** How a source reports, and how many slips in a row that agree are no witnesses yet. */
const slipping = fc.constantFrom(
  { source: { name: 'one' }, slipsMax: 4 },
  { source: { name: 'one', isPolledSlowly: true }, slipsMax: 2 },
);
/** Runs of slips, each with the true prices before it. */
const runs = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 8 }),
    slips: fc.integer({ min: 1, max: 4 }),
    factor: fc.constantFrom(10, 100, 1_000, 10_000, 0.1, 0.01, 0.001),
  }),
  { minLength: 1, maxLength: 3 },
);

test('slips that agree, at the start of a session or within it, are shown nowhere after the next true price, whoever reports them', () => {
  const tickers = fc.constantFrom('GGAL', 'BTC', 'RIESGO');
  fc.assert(
    fc.property(
      session,
      tickers,
      slipping,
      runs,
      fc.boolean(),
      (updates, ticker, by, list, restarts) => {
        const [slippedMarket, clean] = [ticker, ticker].map((one) => {
          const market = new JudgedMarket(universe);
          market.adopt(one, [thursday, 1_000], { references });
          market.sendOne(update('LEG', open, { last: 10 }));
          return market;
        });
        assert.ok(slippedMarket && clean);
        const factors = new Map<number, number>();
        let place = 0;
        for (const { after, slips, factor } of list) {
          place += Math.max(after, place === 0 ? 0 : 1);
          for (let n = Math.min(slips, by.slipsMax); n > 0; n -= 1) factors.set(place++, factor);
        }
        const steps = updates.slice(0, -1).map((one) => ({ ...one, ticker: ticker as Ticker }));
        fc.pre(steps.some((_, index) => !factors.has(index)));
        for (const [index, one] of steps.entries()) {
          const factor = factors.get(index);
          if (factor !== undefined) {
            const { volume: _, ...slip } = slipped(one, prices, Math.log10(factor));
            // The bound of an earlier session admits these as first prices.
            const isAdmitted = ticker !== 'GGAL' && (factor === 10 || factor === 0.1);
            const isFirst = clean.quote(ticker)?.sessionDate !== friday;
            const outcome: unknown = slippedMarket.sendOne(slip, by.source);
            if (isAdmitted && isFirst) assert.equal(outcome, 'accepted');
            else assert.deepEqual(shown(slippedMarket), shown(clean));
            if (restarts) slippedMarket.restart();
            continue;
          }
          slippedMarket.sendOne(one, by.source);
          clean.sendOne(one, by.source);
          assert.deepEqual(shown(slippedMarket), shown(clean));
        }
        const night = at(friday, '17:30');
        assert.deepEqual(slippedMarket.settle(night).closes, clean.settle(night).closes);
        assert.deepEqual(shown(slippedMarket), shown(clean));
      },
    ),
    { seed: 20_261_152, numRuns: 600 },
  );
});

test('a true jump within a session is shown after five different prices and two minutes or with a second source, and the range keeps what came before', () => {
  const factor = fc.constantFrom(4.5, 7, 10, 100, 0.2, 0.1, 0.01);
  const levels = fc.constantFrom('GGAL', 'BTC', 'RIESGO');
  fc.assert(
    fc.property(
      agreeing,
      factor,
      levels,
      fc.constantFrom(...witnesses),
      (list, times, ticker, of) => {
        const market = new JudgedMarket(universe);
        market.adopt(ticker, [thursday, 1_000], { references });
        market.sendOne(update(ticker, open, { last: 1_000 }));
        for (const [index, tenths] of list.entries()) {
          const last = (tenths / 10) * times;
          const instant = open + second + index * of.interval * second;
          const source = of.sources[index % of.sources.length];
          const isShown = index + 1 >= of.overruledAfter;
          const outcome = market.sendOne(update(ticker, instant, { last }), source);
          assert.equal(outcome, isShown ? 'accepted' : 'held');
          const { last: now, high = 0, low = 0 } = market.quote(ticker) ?? {};
          assert.equal(now, isShown ? last : 1_000);
          assert.ok(low <= 1_000 && high >= 1_000);
        }
      },
    ),
    { seed: 20_261_153, numRuns: 300 },
  );
});

function slipped(one: Update, fields: readonly PriceField[], ten: number): Update {
  const moved = fields.flatMap((field) => {
    const value = one[field];
    return value === undefined ? [] : [[field, value * 10 ** ten] as const];
  });
  return { ...one, ...Object.fromEntries(moved) };
}

/** What may be shown of an update with these slips: nothing if its price is one of them. */
function truePart(one: Update, fields: readonly PriceField[]): Update | undefined {
  const decides = one.last === undefined ? 'close' : 'last';
  if (fields.includes(decides)) return undefined;
  const kept = Object.entries(one).filter(([field]) => !fields.some((slip) => slip === field));
  return Object.fromEntries(kept) as unknown as Update;
}

/** Different prices within 10 % of each other around a level. */
const agreeing = fc.uniqueArray(fc.integer({ min: 9_600, max: 10_400 }), {
  minLength: 8,
  maxLength: 30,
});

/** How sources report, and after how many reports, at an interval in seconds, they overrule a close. */
const witnesses = [
  { overruledAfter: 5, interval: 30, sources: [{ name: 'one', delayMinutes: 0 }] },
  { overruledAfter: 13, interval: 10, sources: [{ name: 'one', delayMinutes: 0 }] },
  {
    overruledAfter: 3,
    interval: 60,
    sources: [{ name: 'one', delayMinutes: 20, isPolledSlowly: true }],
  },
  {
    overruledAfter: 2,
    interval: 1,
    sources: [
      { name: 'one', delayMinutes: 0 },
      { name: 'two', delayMinutes: 5 },
    ],
  },
] as const satisfies readonly {
  readonly overruledAfter: number;
  readonly interval: number;
  readonly sources: readonly ReportSource[];
}[];

test('after a split that is not recorded, every price is shown once there are enough witnesses, without variations, and the close is named once', () => {
  const factor = fc.constantFrom(5, 6, 8, 10, 12, 20, 25, 50, 100, 0.2, 0.1, 0.05, 0.01);
  const overruling = fc.constantFrom(...witnesses);
  fc.assert(
    fc.property(agreeing, factor, overruling, fc.boolean(), (list, split, of, restarts) => {
      const market = marketWith(true, 1_000);
      const { overruledAfter, interval, sources } = of;
      for (const [index, tenths] of list.entries()) {
        const last = tenths / 10 / split;
        const instant = open + index * interval * second;
        const source = sources[index % sources.length];
        const outcome = market.sendOne(update('GGAL', instant, { last }), source);
        const quote = market.quote('GGAL');
        if (index + 1 < overruledAfter) {
          assert.deepEqual(outcome, { refused: 'implausible' });
          assert.equal(quote?.last, 1_000);
          continue;
        }
        assert.equal(outcome, 'accepted');
        assert.deepEqual(
          [quote?.last, quote?.previousClose, quote?.change],
          [last, undefined, null],
        );
        assert.deepEqual([quote?.monthToDatePct, quote?.yearToDatePct], [null, null]);
        assert.deepEqual(quote?.setAside?.close, 1_000);
        assert.equal(market.quote('SAME')?.last, Math.round(last * 10_000) / 10_000);
        assert.equal(market.quote('SAME')?.change, null);
        if (restarts) market.restart();
      }
      const named = market.judged.filter(({ ticker }) => ticker === 'GGAL');
      const isReached = list.length >= overruledAfter;
      assert.equal(named.length, isReached ? 1 : 0);
      for (const one of named) {
        assert.ok(one.type === 'set-aside');
        assert.deepEqual([one.mark.day, one.mark.close], Object.values(closeOn(thursday, 1_000)));
      }
    }),
    { seed: 20_261_148, numRuns: 300 },
  );
});

/** One thing that happens to a source and its service. */
type Event =
  | { readonly is: 'price'; readonly tenths: number }
  | { readonly is: 'slip'; readonly tenths: number; readonly power: number }
  | { readonly is: 'outage'; readonly minutes: number }
  | { readonly is: 'restart' };

const tenths = fc.integer({ min: 9_600, max: 10_400 });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ is: fc.constant('price' as const), tenths }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('slip' as const), tenths, power }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('outage' as const),
      minutes: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('restart' as const) }) },
);
const events = fc.array(event, { minLength: 30, maxLength: 120 });

/** Lets events happen, ten seconds apart, and gives what has been sent after each of them. */
function* happen(
  market: JudgedMarket,
  list: readonly Event[],
): Generator<{ readonly event: Event; readonly price: number; readonly now: number }, void> {
  let now = open;
  for (const one of list) {
    now += 10 * second;
    if (one.is === 'outage') now += one.minutes * 60 * second;
    if (one.is === 'restart') market.restart();
    const price = 'tenths' in one ? one.tenths / 10 : Number.NaN;
    if (now > at(friday, '17:00')) return;
    if (one.is === 'price') market.sendOne(update('GGAL', now, { last: price }));
    if (one.is === 'slip') {
      market.sendOne(update('GGAL', now, { last: price * 10 ** one.power }));
    }
    yield { event: one, price, now };
  }
}

test('while no two slips in a row are alike, whatever fails and restarts: only true prices are shown, each of them at once', () => {
  fc.assert(
    fc.property(events, (list) => {
      const market = marketWith(true);
      const isolated = list.filter(
        (one, index) => one.is !== 'slip' || list[index - 1]?.is === 'price',
      );
      let truth = 1_000;
      for (const { event: one, price } of happen(market, isolated)) {
        if (one.is === 'price') truth = price;
        const { last, high = truth, low = truth, bar, setAside } = market.quote('GGAL') ?? {};
        assert.deepEqual([last, market.quote('SAME')?.last, setAside], [truth, truth, undefined]);
        for (const shownPrice of [high, low, bar?.high ?? truth, bar?.low ?? truth]) {
          assert.ok(shownPrice >= 960 && shownPrice <= 1_040, String(shownPrice));
        }
      }
      assert.ok(!market.reports().includes('confirmed'));
    }),
    { seed: 20_261_149, numRuns: 300 },
  );
});

test('whatever slips, outages and restarts come in any order, and whatever the close: true prices that agree are shown after at most five of them and two minutes', () => {
  fc.assert(
    fc.property(events, fc.constantFrom(-3, -2, -1, 0, 1, 2, 3), (list, baseTen) => {
      const market = marketWith(true, 1_000 * 10 ** baseTen);
      let since: number | undefined;
      let different = new Set<number>();
      let checks = 0;
      const calm = Array.from({ length: 14 }, (_, index): Event => ({
        is: 'price',
        tenths: 9_700 + index,
      }));
      for (const { event: one, price, now } of happen(market, [...list, ...calm])) {
        if (one.is === 'slip' || one.is === 'restart') {
          since = undefined;
          different = new Set();
        }
        if (one.is !== 'price') continue;
        since ??= now;
        different.add(price);
        if (different.size < 5 || now - since < 120 * second) continue;
        checks += 1;
        assert.equal(market.quote('GGAL')?.last, price);
      }
      assert.ok(checks > 0);
    }),
    { seed: 20_261_150, numRuns: 300 },
  );
});
