import assert from 'node:assert/strict';
import { test } from 'node:test';

import { array, assert as assertProperty, integer, property } from 'fast-check';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Bonds } from '../bonds/bonds.ts';
import { al30 as al30Terms } from '../../../test/support/market/bond-samples.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { makeQuote, type Quote, type SessionState } from '../quotes/quote.ts';
import { DollarRates, type ComparedRate, type DollarFilter } from './dollar-rates.ts';

const universe = makeUniverse(
  [
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'AE38', kind: 'bond' },
    { ticker: 'AE38C', kind: 'bond', currency: 'USD', dollarClass: ['AE38', 'cable'] },
    { ticker: 'BA37D', kind: 'bond' },
    { ticker: 'GD30', kind: 'bond' },
    { ticker: 'GD30D', kind: 'bond', currency: 'USD', dollarClass: ['GD30', 'mep'] },
    { ticker: 'GD35', kind: 'bond' },
    { ticker: 'GD35D', kind: 'bond', currency: 'USD', dollarClass: ['GD35', 'mep'] },
    { ticker: 'SPY', kind: 'cedear', ratio: '20:1', underlying: 'SPY_US' },
    { ticker: 'ABEV', kind: 'cedear', ratio: '1:3', underlying: 'ABEV_US' },
    { ticker: 'AAPL', kind: 'cedear', ratio: '20:1', underlying: 'AAPL_US' },
    { ticker: 'MSFT', kind: 'cedear', ratio: '30:1', underlying: 'MSFT_US' },
    { ticker: 'SPY_US', kind: 'etf', market: 'NYSE', currency: 'USD' },
    { ticker: 'ABEV_US', market: 'NYSE', currency: 'USD' },
    { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
    { ticker: 'MSFT_US', market: 'NYSE', currency: 'USD' },
    { ticker: 'BYMA' },
    { ticker: 'BYMAD', currency: 'USD', dollarClass: ['BYMA', 'mep'] },
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
  ],
  [al30Terms],
);

const rates = new DollarRates(universe, new Bonds(universe));
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

test('a rate is as of the older of its inputs, and of no known instant if that of one is not known', () => {
  const [mep] = select({ AL30: { asOf: noon + 5 }, AL30D: { last: 60, asOf: noon } });
  assert.equal(mep?.asOf, noon);
  const [receipt] = select(
    { SPY: { last: 53_784, asOf: noon + 7 }, SPY_US: { last: 664 } },
    { base: 'SPY' },
  );
  assert.equal(receipt?.asOf, noon);
  for (const asOf of [undefined, noon]) {
    const [without] = select({ AL30: { asOf }, AL30D: { last: 60, asOf: undefined } });
    assert.deepEqual([without?.asOf, without?.state], [undefined, 'ok']);
  }
});

test('a price more than 15 minutes older than the other one is named, of a class or of a share', () => {
  const minutes = 60_000;
  const stateOf = (AL30: number, AL30D: number) =>
    select({ AL30: { asOf: AL30 }, AL30D: { last: 60, asOf: AL30D } })[0]?.state;
  assert.equal(stateOf(noon, noon - 15 * minutes), 'ok');
  assert.deepEqual(stateOf(noon, noon - 15 * minutes - 1), { late: 'AL30D' });
  assert.deepEqual(stateOf(noon - 16 * minutes, noon), { late: 'AL30' });
  const [receipt] = select(
    { SPY: { last: 53_784 }, SPY_US: { last: 664, asOf: noon - 20 * minutes } },
    { base: 'SPY' },
  );
  assert.deepEqual(receipt?.state, { late: 'SPY_US' });
});

/** The dollars and bases of the rates that are not believed. */
function doubtful(given: Readonly<Record<string, Given>>): readonly string[] {
  return select(given).flatMap(({ dollar, base, state }) =>
    state === 'doubtful-price' ? `${dollar} ${base}` : [],
  );
}

const gd30 = { GD30: { last: 84_300 }, GD30D: { last: 54.1 } };
const ofOne = { last: 843 };

test('contract 4.12.7: of two rates that disagree, that of AL30 is believed, and a wrong one has no gap', () => {
  assert.deepEqual(doubtful({ ...al30, ...gd30 }), []);
  const wrong = { ...al30, ...gd30, GD30: ofOne };
  assert.deepEqual(doubtful(wrong), ['mep GD30']);
  const wholesale = { 'DOLAR MAYORISTA': { last: 1480 } };
  const [rate] = select({ ...wrong, ...wholesale }, { base: 'GD30' });
  assert.deepEqual([rate?.state, rate?.gapPct], ['doubtful-price', null]);
  // Without AL30, nothing decides between two.
  const gd35 = { GD35: { last: 105_000 }, GD35D: { last: 70 } };
  assert.deepEqual(doubtful({ ...gd30, ...gd35 }), []);
  assert.deepEqual(doubtful({ ...gd30, ...gd35, GD30: ofOne }), ['mep GD30', 'mep GD35']);
  assert.deepEqual(doubtful({ ...gd30, ...gd35, ...wholesale, GD30: ofOne }), ['mep GD30']);
});

test('contract 4.12.7: three rates that agree are believed before AL30 and before the wholesale dollar', () => {
  const gd35 = { GD35: { last: 105_000 }, GD35D: { last: 70 } };
  const three = { ...gd30, ...gd35, BYMA: { last: 300 }, BYMAD: { last: 0.2 } };
  const wrong = { AL30: { last: 839.4 }, AL30D: { last: 53.97 } };
  assert.deepEqual(doubtful({ ...three, ...wrong }), ['mep AL30']);
  assert.deepEqual(doubtful({ ...three, 'DOLAR MAYORISTA': { last: 14.8 } }), []);
  // Not even AL30 is believed alone against the wholesale dollar.
  assert.deepEqual(doubtful({ ...wrong, 'DOLAR MAYORISTA': { last: 1480 } }), ['mep AL30']);
  assert.deepEqual(doubtful(wrong), []);
  const earlier = { last: 1480, sessionDate: '2026-11-18' as PlainDate };
  assert.deepEqual(doubtful({ ...wrong, 'DOLAR MAYORISTA': earlier }), [], 'too old');
});

test('contract 4.12.7: rates of different sessions are not compared', () => {
  const before = { sessionDate: '2026-11-19' as PlainDate };
  const old = { GD30: { last: 84_300, ...before }, GD30D: { last: 40, ...before } };
  assert.deepEqual(doubtful({ ...al30, ...old }), []);
});

test('contract 4.12.7: a price that its bond cannot have implies nothing that is believed', () => {
  assert.deepEqual(doubtful({ ...al30, ...gd30, AL30D: { last: 0.5397 } }), [
    'mep AL30',
    'cable-over-mep AL30',
  ]);
});

test('contract 4.12.7: a canje is compared with other ones, and with equal dollars', () => {
  assert.deepEqual(doubtful({ AL30D: { last: 53.97 }, AL30C: { last: 11 } }), [
    'cable-over-mep AL30',
  ]);
  assert.deepEqual(doubtful({ AL30D: { last: 53.97 }, AL30C: { last: 48 } }), []);
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
    assert.deepEqual(bases, ['SPY', 'ABEV']);
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
    ['ABEV', 'AAPL'],
  );
});

/** The bases of the dollars abroad. */
function basesOf(given: Readonly<Record<string, Given>>): readonly string[] {
  return select(given, { dollar: 'cable' }).map(({ base }) => base);
}

test('contract 4.12.3: fewer than three receipts that agree have no median, and show no rate that others contradict', () => {
  const { SPY_US, AAPL_US, AAPL } = receipts;
  const twice = { SPY: { last: 107_568 }, SPY_US };
  const two = { ...twice, AAPL, AAPL_US };
  assert.deepEqual(basesOf(two), []);
  assert.deepEqual(basesOf({ ...al30, ...two }), ['AL30', 'AAPL'], 'the dollar of AL30 decides');
  assert.deepEqual(basesOf({ ...al30, ...twice }), ['AL30']);
  const earlier = { sessionDate: '2026-11-19' as PlainDate };
  const before = { AL30: { last: 83_940, ...earlier }, AL30C: { last: 51.75, ...earlier } };
  assert.deepEqual(basesOf({ ...before, ...two }), ['AL30'], 'one of another session does not');
  const { AL30, AL30D } = al30;
  assert.deepEqual(basesOf({ AL30, AL30D, ...two }), [], 'nor does another dollar');
  assert.deepEqual(basesOf(twice), ['SPY'], 'nothing to compare it with');
  assert.deepEqual(basesOf({ ...receipts, ...twice, MSFT: AAPL, MSFT_US: { last: 450 } }), [
    'CEDEARS',
    'ABEV',
    'AAPL',
    'MSFT',
  ]);
});

test('the median is as old as the older of the two rates beside it', () => {
  const later = noon + 60_000;
  const three = {
    SPY: { last: 53_000, asOf: noon - 9 },
    SPY_US: { last: 664 },
    ABEV: { last: 14_580, asOf: later },
    ABEV_US: { last: 3, asOf: later },
    AAPL: { last: 24_450, asOf: noon - 5 },
    AAPL_US: { last: 300, asOf: later },
  };
  const fourth = { MSFT: { last: 1700, asOf: noon - 9 }, MSFT_US: { last: 30 } };
  const [even] = select({ ...three, ...fourth }, { base: 'cedears' });
  assert.equal(Math.round(even?.last ?? 0), 1625);
  assert.equal(even?.asOf, noon - 5);
  const [odd] = select(three, { base: 'cedears' });
  assert.deepEqual([Math.round(odd?.last ?? 0), odd?.asOf], [1620, later]);
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

test('a base that is a market and a ticker is the ticker, and any other market has what it publishes', () => {
  const given = {
    BYMA: { last: 300 },
    BYMAD: { last: 0.2 },
    'DOLAR CCL': { last: 1620 },
    'DOLAR CRIPTO': { last: 1600 },
  };
  assert.deepEqual(shown(select(given, { base: 'byma' })), ['mep BYMA 1500']);
  assert.deepEqual(shown(select(given, { base: 'cripto' })), ['crypto CRIPTO 1600']);
});

/** The gaps of the rates other than the wholesale dollar, with two decimals. */
function gaps(given: Readonly<Record<string, Given>>): readonly (number | null)[] {
  return select(given)
    .filter(({ dollar }) => dollar !== 'wholesale')
    .map(({ gapPct }) => (gapPct === null ? null : Math.round(gapPct * 100) / 100));
}

test('the gap is over the wholesale dollar of the business day or of the one before, and null for an exchange', () => {
  const wholesale = { 'DOLAR MAYORISTA': { last: 1524.5 } };
  assert.deepEqual(gaps({ ...al30, ...wholesale }), [2.02, 6.4, null]);
  assert.deepEqual(gaps(al30), [null, null, null]);
  const dated = (sessionDate: string, day: string) =>
    gaps({
      'DOLAR CRIPTO': { last: 1600, sessionDate: sessionDate as PlainDate },
      'DOLAR MAYORISTA': { last: 1600, sessionDate: day as PlainDate },
    });
  assert.deepEqual(dated('2026-11-22', '2026-11-20'), [0], 'on a Sunday');
  assert.deepEqual(dated('2026-12-09', '2026-12-04'), [0], 'after a bridge day and a holiday');
  assert.deepEqual(dated('2026-12-09', '2026-12-03'), [null], 'too old after a bridge day');
  assert.deepEqual(dated('2026-11-20', '2026-11-18'), [null], 'too old');
  assert.deepEqual(dated('2026-11-19', '2026-11-20'), [null], 'of a later session');
});

test('the median has as many rates below it as above it', () => {
  const prices = array(integer({ min: 1000, max: 1100 }), { minLength: 3, maxLength: 4 });
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
