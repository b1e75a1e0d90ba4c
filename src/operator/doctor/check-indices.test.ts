import assert from 'node:assert/strict';
import { test } from 'node:test';

import { day } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { cerZero } from '../../../test/support/market/bond-samples.ts';
import { quoteOn } from '../../../test/support/market/quote-on.ts';
import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { checkIndices } from './check-indices.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';

/** Friday 20 November 2026. It settles on Tuesday, because Monday is a holiday. */
const now = Date.parse('2026-11-20T20:00:00Z');
const universe = makeUniverse([{ ticker: 'AL30', kind: 'bond' }]);

test('an index that does not cover the next settlement, a recent gap and a recent jump are a warning', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const look = async () => {
    const { revision, values } = await store.indices.readAll();
    return checkIndices(universe, { quotes: [], series: new IndexSeries(revision, values) }, now);
  };
  assert.equal((await look()).state, 'fine');
  const put = (from: string, to: string, valueOf: (at: EpochDay) => number) => {
    const days = Array.from({ length: day(to) - day(from) + 1 }, (_, at) => day(from) + at);
    return store.indices.apply(
      {
        put: days.map((one) => ({
          index: 'CER',
          day: one as EpochDay,
          value: valueOf(one as EpochDay),
          source: 'x',
        })),
      },
      changeAt(1),
    );
  };
  // A gap of more than 400 days ago is not named.
  await put('2025-01-01', '2025-01-02', () => 700);
  await put('2025-09-01', '2026-11-05', () => 700);
  await put('2026-11-07', '2026-11-08', () => 700);
  const { state, cases, says } = await look();
  assert.equal(state, 'warning');
  assert.deepEqual(cases, [
    'CER 2026-11-06 to 2026-11-06: 1 days without a value',
    'CER ends on 2026-11-08; the settlement of 2026-11-24 needs 2026-11-09',
  ]);
  assert.match(says, /^1 of 7 indices have values\./);
  await put('2026-11-06', '2026-11-06', () => 700);
  await put('2026-11-09', '2026-12-15', (at) => (at === day('2026-12-01') ? 7 : 700));
  assert.deepEqual((await look()).cases, ['CER 2026-12-01: 7 after 700']);
  await put('2026-12-01', '2026-12-01', () => 700);
  assert.deepEqual(await look(), {
    check: 'indices',
    state: 'fine',
    says: '1 of 7 indices have values. They cover the next settlement, without gaps and jumps in the last 400 days.',
  });
});

/** An issue that CER adjusts, with changes of its terms. */
function issue(ticker: string, terms: Partial<BondTerms> = {}): BondTerms {
  return { ...cerZero, ticker: ticker as Ticker, ...terms };
}

test('the bonds whose next settlement lacks the value of their own lag are named, and no other day takes its place', () => {
  const linked = { index: 'A3500', lagDays: 3, base: 1 } as const;
  const names = ['TZXD7', 'TX28', 'TX31', 'DICP', 'PARP', 'D15E7', 'TX26'];
  const bonds = makeUniverse(
    names.map((ticker) => ({ ticker, kind: 'bond' })),
    [
      ...names.slice(0, 5).map((ticker) => issue(ticker)),
      issue('D15E7', { indexation: linked }),
      issue('TX26', { maturity: '2026-11-24' as PlainDate }),
    ],
  );
  const look = (days: readonly string[], quoted: readonly string[] = []) => {
    const values = days.map(
      (one) => ({ index: 'CER', day: day(one), value: 700, source: 'x' }) as const,
    );
    const stored = quoted.map((ticker) => quoteOn(ticker, 1, { date: '2026-11-20', version: 1 }));
    const quotes = quotesOfStored(bonds, stored);
    return checkIndices(bonds, { quotes, series: new IndexSeries(1, values) }, now);
  };
  const cer =
    'CER 2026-11-09, needed for the settlement of 2026-11-24: no value, so no yield of TZXD7, TX28, TX31, DICP and 1 more';
  const a3500 =
    'A3500 2026-11-18, needed for the settlement of 2026-11-24: no value, so no yield of D15E7';
  assert.deepEqual(look(['2026-11-08']).cases, [cer, a3500]);
  const gap = 'CER 2026-11-09 to 2026-11-09: 1 days without a value';
  assert.deepEqual(look(['2026-11-08', '2026-11-10']).cases, [gap, cer, a3500]);
  assert.deepEqual(look(['2026-11-08', '2026-11-09']).cases, [a3500]);
  // Without any value, only a bond with a quote is missed.
  assert.equal(look([]).state, 'fine');
  assert.deepEqual(look([], ['D15E7', 'TX26']).cases, [a3500]);
});
