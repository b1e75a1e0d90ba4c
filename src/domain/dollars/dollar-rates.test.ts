import assert from 'node:assert/strict';
import { test } from 'node:test';

import { array, assert as assertProperty, integer, property } from 'fast-check';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { makeQuote } from '../quotes/quote.ts';
import type { Quote, SessionState } from '../quotes/quote.ts';
import { DollarRates } from './dollar-rates.ts';
import type { ComparedRate, DollarFilter } from './dollar-rates.ts';

const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
  { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
  { ticker: 'AE38', kind: 'bond' },
  { ticker: 'AE38C', kind: 'bond', currency: 'USD', dollarClass: ['AE38', 'cable'] },
  { ticker: 'BA37D', kind: 'bond' },
  { ticker: 'SPY', kind: 'cedear', ratio: '20:1', underlying: 'SPY_US' },
  { ticker: 'ABEV', kind: 'cedear', ratio: '1:3', underlying: 'ABEV_US' },
  { ticker: 'AAPL', kind: 'cedear', ratio: '20:1', underlying: 'AAPL_US' },
  { ticker: 'MSFT', kind: 'cedear', ratio: '30:1', underlying: 'MSFT_US' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE', currency: 'USD' },
  { ticker: 'ABEV_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'MSFT_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'DOLAR OFICIAL', kind: 'exchange-rate' },
  { ticker: 'DOLAR OFICIAL COMPRA', kind: 'exchange-rate' },
  { ticker: 'DOLAR OFICIAL VENTA', kind: 'exchange-rate' },
  { ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: 'AL30' as never, denominator: 'AL30D' as never },
  },
  { ticker: 'DOLAR CCL', kind: 'exchange-rate' },
  { ticker: 'DOLAR CRIPTO', kind: 'exchange-rate', market: 'CRIPTO' },
]);

const rates = new DollarRates(universe);
const friday = '2026-11-20' as PlainDate;
/** 14:00 in Buenos Aires, 12:00 in New York. */
const noon = Date.parse('2026-11-20T17:00:00Z');

type Given = Partial<SessionState> & { readonly bid?: number; readonly ask?: number };

function quote(instrument: Instrument, { bid, ask, ...session }: Given): Quote {
  const book = bid === undefined && ask === undefined ? {} : { book: { at: noon, bid, ask } };
  return makeQuote(instrument, {
    version: 1,
    session: { sessionDate: friday, last: 1, volume: 1, asOf: noon, ...session, ...book },
    references: {},
  });
}

function select(
  given: Readonly<Record<string, Given>>,
  filter: DollarFilter = {},
): readonly ComparedRate[] {
  return rates.select(filter, (instrument) => {
    const own = given[instrument.ticker];
    return own === undefined ? undefined : quote(instrument, own);
  });
}

/** The rates as short texts, to compare lists of them. */
function shown(all: readonly ComparedRate[]): readonly string[] {
  return all.map(({ dollar, base, last }) => `${dollar} ${base} ${Math.round(last * 100) / 100}`);
}

const al30 = { AL30: { last: 83_940 }, AL30D: { last: 53.97 }, AL30C: { last: 51.75 } };

test('contract 4.12.1: the classes of a security imply MEP, CCL and the exchange between them', () => {
  const ae38 = { AE38: { last: 111_610 }, AE38C: { last: 69.04 }, BA37D: { last: 5 } };
  assert.deepEqual(shown(select({ ...al30, ...ae38 })), [
    'mep AL30 1555.31',
    'cable AL30 1622.03',
    'cable-over-mep AL30 4.29',
    'cable AE38 1616.6',
  ]);
});

test('contract 4.12.2: the buying price is the bid in pesos by the ask in dollars, and is null without both', () => {
  const [mep] = select({
    AL30: { last: 83_940, bid: 83_870, ask: 83_950 },
    AL30D: { last: 53.97, bid: 53.9, ask: 53.97 },
  });
  assert.equal(Math.round((mep?.bid ?? 0) * 100) / 100, 1554.01);
  assert.equal(mep?.ask, 83_950 / 53.9);
  const [half] = select({ AL30: { last: 83_940, bid: 83_870 }, AL30D: { last: 53.97, bid: 53.9 } });
  assert.deepEqual([half?.bid, half?.ask], [null, null]);
});

test('contract 4.12.4: prices of different sessions imply nothing', () => {
  const earlier = { last: 53.97, sessionDate: '2026-11-19' as PlainDate };
  assert.deepEqual(shown(select({ ...al30, AL30D: earlier })), ['cable AL30 1622.03']);
});

test('an implied rate is as of the latest of its inputs', () => {
  const [mep] = select({ AL30: { asOf: noon + 5 }, AL30D: { asOf: noon } });
  assert.equal(mep?.asOf, noon + 5);
  const [without] = select({ AL30: { asOf: undefined }, AL30D: { asOf: undefined } });
  assert.equal(without?.asOf, undefined);
});

test('a price of zero implies nothing', () => {
  assert.deepEqual(select({ AL30: { last: 5 }, AL30D: { last: 0 } }), []);
});

const receipts = {
  SPY: { last: 53_784 },
  SPY_US: { last: 664 },
  ABEV: { last: 14_580 },
  ABEV_US: { last: 3 },
  AAPL: { last: 24_450 },
  AAPL_US: { last: 300 },
};

test('contract 4.12.3: a receipt implies the dollar abroad by its ratio, and their median is a rate too', () => {
  assert.deepEqual(shown(select(receipts, { dollar: 'cable' })), [
    'cable CEDEARS 1620',
    'cable SPY 1620',
    'cable ABEV 1620',
    'cable AAPL 1630',
  ]);
  assert.deepEqual(select(receipts), [], 'without a filter');
  assert.deepEqual(select(receipts, { dollar: 'mep' }), []);
  assert.deepEqual(shown(select(receipts, { base: 'abev' })), ['cable ABEV 1620']);
});

test('contract 4.12.3: a receipt more than 10 % from the median is left out, and one at 10 % is not', () => {
  const far = { ...receipts, MSFT: { last: 1788 }, MSFT_US: { last: 30 } };
  assert.deepEqual(
    select(far, { dollar: 'cable' }).map(({ base }) => base),
    ['CEDEARS', 'SPY', 'ABEV', 'AAPL'],
  );
  const near = { ...far, AAPL: { last: 24_300 }, MSFT: { last: 1782 } };
  assert.deepEqual(
    select(near, { dollar: 'cable' }).map(({ base }) => base),
    ['CEDEARS', 'SPY', 'ABEV', 'AAPL', 'MSFT'],
  );
});

test('contract 4.12.3: a receipt counts only with both prices of one day, while both markets were open', () => {
  const opening = Date.parse('2026-11-20T14:29:59Z');
  const cases: readonly Given[] = [
    { last: 24_450, asOf: opening },
    { last: 24_450, asOf: undefined },
    { last: 24_450, sessionDate: '2026-11-19' as PlainDate },
    { last: 24_450, volume: 0 },
  ];
  for (const AAPL of cases) {
    const bases = select({ ...receipts, AAPL }, { dollar: 'cable' }).map(({ base }) => base);
    assert.deepEqual(bases, ['CEDEARS', 'SPY', 'ABEV']);
  }
  const open = { last: 24_450, asOf: opening + 1000, volume: null };
  const bases = select({ ...receipts, AAPL: open }, { dollar: 'cable' }).map(({ base }) => base);
  assert.ok(bases.includes('AAPL'));
});

test('receipts of an earlier day than the latest one are left out', () => {
  const earlier = { sessionDate: '2026-11-19' as PlainDate, asOf: noon - 86_400_000 };
  const mixed = {
    ...receipts,
    SPY: { last: 1, ...earlier },
    SPY_US: { last: 1, ...earlier },
  };
  assert.deepEqual(
    select(mixed, { dollar: 'cable' }).map(({ base }) => base),
    ['CEDEARS', 'ABEV', 'AAPL'],
  );
});

test('a published dollar has the prices of its own instruments, else its orders', () => {
  const all = select({
    'DOLAR OFICIAL': { last: 1530 },
    'DOLAR OFICIAL COMPRA': { last: 1490 },
    'DOLAR OFICIAL VENTA': { last: 1530, sessionDate: '2026-11-19' as PlainDate },
    'DOLAR MAYORISTA': { last: 1524.5, bid: 1524, ask: 1525 },
    'DOLAR MEP': { last: 1555 },
    'DOLAR CCL': { last: 1620 },
  });
  assert.deepEqual(
    all.map(({ dollar, base, bid, ask, method, numerator }) => [
      dollar,
      base,
      bid,
      ask,
      method,
      numerator,
    ]),
    [
      ['retail', 'BYMA', 1490, null, 'published', 'DOLAR OFICIAL'],
      ['wholesale', 'BYMA', 1524, 1525, 'published', 'DOLAR MAYORISTA'],
      // DOLAR MEP is derived from AL30 here, whose row has it.
      ['cable', 'BYMA', null, null, 'published', 'DOLAR CCL'],
    ],
  );
});

/** The gaps of the rates other than the wholesale dollar, with two decimals. */
function gaps(given: Readonly<Record<string, Given>>): readonly (number | null)[] {
  return select(given)
    .filter(({ dollar }) => dollar !== 'wholesale')
    .map(({ gapPct }) => (gapPct === null ? null : Math.round(gapPct * 100) / 100));
}

test('the gap is over the wholesale dollar of the session or of the one before, and null for an exchange', () => {
  const wholesale = { 'DOLAR MAYORISTA': { last: 1524.5 } };
  assert.deepEqual(gaps({ ...al30, ...wholesale }), [2.02, 6.4, null]);
  assert.deepEqual(gaps(al30), [null, null, null]);
  const dated = (sessionDate: string, day: string) =>
    gaps({
      'DOLAR CRIPTO': { last: 1600, sessionDate: sessionDate as PlainDate },
      'DOLAR MAYORISTA': { last: 1600, sessionDate: day as PlainDate },
    });
  assert.deepEqual(dated('2026-11-22', '2026-11-20'), [0], 'on a Sunday');
  assert.deepEqual(dated('2026-11-20', '2026-11-18'), [null], 'too old');
  assert.deepEqual(dated('2026-11-19', '2026-11-20'), [null], 'of a later session');
});

test('the median has as many rates below it as above it', () => {
  const prices = array(integer({ min: 1000, max: 1100 }), { minLength: 1, maxLength: 4 });
  const pairs = [
    ['SPY', 20],
    ['ABEV', 1 / 3],
    ['AAPL', 20],
    ['MSFT', 30],
  ] as const;
  assertProperty(
    property(prices, (all) => {
      const given = Object.fromEntries(
        all.flatMap((price, at) => {
          const [ticker, perShare] = pairs[at] ?? pairs[0];
          return [
            [ticker, { last: price / perShare }],
            [`${ticker}_US`, { last: 1 }],
          ];
        }),
      );
      const [median] = select(given, { base: 'cedears' });
      assert.ok(median !== undefined);
      const below = all.filter((one) => one < median.last - 1e-9).length;
      const above = all.filter((one) => one > median.last + 1e-9).length;
      assert.ok(Math.max(below, above) * 2 <= all.length, `${median.last} of ${all.join()}`);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) },
  );
});
