import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { convertQuote } from './convert-quote.ts';
import { makeQuote, type Quote } from './quote.ts';

const universe = makeUniverse([{ ticker: 'X' }, { ticker: 'DOLAR MEP', kind: 'exchange-rate' }]);
const sessionDate = '2026-11-20' as PlainDate;
const day = (date: string) => toEpochDay(date as PlainDate);
const closes = {
  days: Int32Array.of(day('2026-11-12'), day('2026-11-19'), day('2026-11-20')),
  closes: Float64Array.of(1_000, 1_200, 1_300),
  volumes: Float64Array.of(0, 0, 0),
};

function quoteOf(ticker: string, about: Partial<Parameters<typeof makeQuote>[1]>): Quote {
  const session = { sessionDate, last: 1_500, volume: 7 };
  const instrument = universe.get(ticker as Ticker);
  return makeQuote(instrument, { version: 1, session, references: {}, ...about });
}

const dollar = quoteOf('DOLAR MEP', {});

/** X in a unit, with a last price of 3, converted to pesos. */
function inPesos(currency: string, about: Partial<Parameters<typeof makeQuote>[1]>) {
  const session = { sessionDate, last: 3, volume: 7 };
  const quote = quoteOf('X', { session, ...about });
  const own = { ...quote, instrument: { ...quote.instrument, currency } };
  return convertQuote(own, { to: 'ARS', dollar, closes });
}

test('contract 4.1.8: a price in dollars is multiplied by the dollar, and its previous close by that of its day', () => {
  const previous = { day: day('2026-11-19'), close: 4 };
  const { last, previousClose, change, volume } =
    inPesos('USD', { references: { previous } }) ?? {};
  // 4500 after 4800.
  assert.deepEqual([last, previousClose, change?.value, volume], [4_500, 4_800, -6.25, 7]);
});

test('contract 4.1.8: all prices are converted, of the book too, and what is absent stays absent', () => {
  const book = { at: 0, bid: 2, ask: undefined, bidSize: 5 };
  const session = { sessionDate, last: 3, open: 1, high: 4, volume: 7, book };
  const shown = inPesos('USD', { session });
  assert.deepEqual(
    [shown?.open, shown?.high, shown?.low, shown?.previousClose, shown?.change],
    [1_500, 6_000, undefined, undefined, null],
  );
  assert.deepEqual(shown?.book, { ...book, bid: 3_000 });
});

test('contract 4.1.8: a close before a split is converted as it is compared', () => {
  const previous = { day: day('2026-11-19'), close: 40, adjusted: 4 };
  assert.equal(inPesos('USD', { references: { previous } })?.previousClose, 4_800);
});

test('contract 4.1.8: a previous close that a source reports is one of the day before', () => {
  const reported = inPesos('USD', { sourcePreviousClose: 4 });
  assert.deepEqual([reported?.previousClose, reported?.change?.value], [4_800, -6.25]);
});

test('contract 4.1.8: without a close of the dollar within seven days, nothing is compared', () => {
  for (const [date, expected] of [
    ['2026-11-11', undefined],
    ['2026-11-12', 4_000],
    ['2026-11-18', 4_000],
  ] as const) {
    const quote = inPesos('USD', { references: { previous: { day: day(date), close: 4 } } });
    assert.equal(quote?.previousClose, expected, date);
    assert.equal(quote?.change === null, expected === undefined, date);
  }
});

test('contract 4.1.8: a unit that is no currency, and a dollar of another session or of no price, convert nothing', () => {
  assert.equal(inPesos('EUR', {}), undefined);
  const quote = quoteOf('X', {});
  assert.equal(convertQuote(quote, { to: 'ARS', dollar: undefined, closes }), quote);
  const by = { to: 'USD', closes } as const;
  assert.notEqual(convertQuote(quote, { ...by, dollar }), undefined);
  assert.equal(convertQuote(quote, { ...by, dollar: undefined }), undefined);
  for (const other of [{ sessionDate: '2026-11-19' as PlainDate }, { last: 0 }]) {
    assert.equal(convertQuote(quote, { ...by, dollar: { ...dollar, ...other } }), undefined);
  }
});
