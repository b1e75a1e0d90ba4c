import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Instrument } from '../instruments/instrument.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import { makeQuote } from './quote.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { closeOn } from '../../../test/support/market/close-on.ts';

const share: Instrument = {
  ticker: 'GGAL' as Ticker,
  name: 'Grupo Financiero Galicia',
  kind: 'share',
  market: 'BYMA',
  currency: 'ARS',
  decimals: 2,
  changeUnit: 'percent',
  pricePer: 1,
  position: 0,
};
const session = { sessionDate: '2026-11-20' as PlainDate, last: 110, volume: 1000 };

test('contract 2.1.3: change, month to date and year to date are percentages of their own bases', () => {
  const references = {
    previous: closeOn('2026-11-19', 100),
    monthBase: closeOn('2026-10-30', 88),
    yearBase: closeOn('2025-12-30', 55),
  };
  const quote = makeQuote(share, { version: 1, session, references });
  assert.deepEqual(quote.change, { value: 10, unit: 'percent' });
  assert.equal(quote.monthToDatePct, 25);
  assert.equal(quote.yearToDatePct, 100);
});

test('contract 2.1.3: the change of an instrument whose unit is points is the difference', () => {
  const rate: Instrument = { ...share, kind: 'interest-rate', changeUnit: 'points' };
  const quote = makeQuote(rate, {
    version: 1,
    session: { ...session, last: 29.7 },
    references: { previous: closeOn('2026-11-19', 21.8) },
  });
  assert.deepEqual(quote.change, { value: 7.9, unit: 'points' });
});

test('contract 2.1.3: a spread has no percent of the month and the year, and rates and country risk have', () => {
  const references = {
    previous: closeOn('2026-11-19', -2),
    monthBase: closeOn('2026-10-30', 4),
    yearBase: closeOn('2025-12-30', 1.5),
  };
  const shown = { change: 5, monthToDatePct: 25, yearToDatePct: 233.33 };
  for (const [kind, expected] of [
    ['spread', [null, null]],
    ['interest-rate', [25, 233.33]],
    ['country-risk', [25, 233.33]],
  ] as const) {
    const one: Instrument = { ...share, kind, changeUnit: 'points' };
    const parts = { version: 1, session: { ...session, last: 5 }, references };
    for (const quote of [makeQuote(one, parts), makeQuote(one, { ...parts, shown })]) {
      assert.deepEqual([quote.monthToDatePct, quote.yearToDatePct], expected, kind);
      assert.equal(quote.change?.unit, 'points');
    }
    assert.equal(makeQuote(one, parts).change?.value, 7);
  }
});

test('contract 2.1.3: a change that cannot be computed is null', () => {
  const quote = makeQuote(share, { version: 1, session, references: {} });
  assert.equal(quote.change, null);
  assert.equal(quote.monthToDatePct, null);
  assert.equal(quote.yearToDatePct, null);
  assert.equal(quote.previousClose, undefined);
});

test("contract 2.1.4: a source's previous close is used only where the history has none", () => {
  const own = makeQuote(share, {
    version: 1,
    session,
    references: { previous: closeOn('2026-11-19', 100) },
    sourcePreviousClose: 50,
  });
  assert.equal(own.previousClose, 100);
  const told = makeQuote(share, { version: 1, session, references: {}, sourcePreviousClose: 55 });
  assert.equal(told.previousClose, 55);
  assert.deepEqual(told.change, { value: 100, unit: 'percent' });
});

test('the sign of the change is the sign of the move', () => {
  const price = fc.integer({ min: 1, max: 1e8 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(price, price, (previous, last) => {
      const quote = makeQuote(share, {
        version: 1,
        session: { ...session, last },
        references: { previous: closeOn('2026-11-19', previous) },
      });
      const value = quote.change?.value ?? Number.NaN;
      assert.ok(value === 0 || Math.sign(value) === Math.sign(last - previous));
    }),
  );
});

test('the comparisons that a followed service shows replace all others, in the unit of the instrument here', () => {
  const references = {
    previous: closeOn('2026-11-19', 100),
    monthBase: closeOn('2026-10-30', 88),
    yearBase: closeOn('2025-12-30', 55),
  };
  const shown = { previousClose: 95, change: 15.79, monthToDatePct: -1, yearToDatePct: 3 };
  const rate: Instrument = { ...share, changeUnit: 'points' };
  const quote = makeQuote(rate, { version: 1, session, references, sourcePreviousClose: 7, shown });
  assert.deepEqual(quote.change, { value: 15.79, unit: 'points' });
  assert.deepEqual([quote.previousClose, quote.monthToDatePct, quote.yearToDatePct], [95, -1, 3]);
  const none = { change: null, monthToDatePct: null, yearToDatePct: null };
  const bare = makeQuote(share, { version: 1, session, references, shown: none });
  assert.deepEqual([bare.previousClose, bare.change], [undefined, null]);
  assert.deepEqual([bare.monthToDatePct, bare.yearToDatePct], [null, null]);
});
