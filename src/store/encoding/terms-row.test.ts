import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { TermsVersion } from '../../domain/history/versions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { rowsOfTermsVersions, termsVersions, type TermsRow } from './terms-row.ts';

function version(ticker: string, from: number, to?: number): TermsVersion {
  return {
    value: {
      ticker: ticker as Ticker,
      series: ticker === 'b' ? ['bD' as Ticker, 'bC' as Ticker] : [],
      values: { rates: '2020-09-04=1;2021-07-09=0.5', couponMonths: 6 },
    },
    stored: { at: from, origin: 'unknown' },
    ...(to === undefined ? {} : { replaced: { at: to, origin: 'universe' } }),
  };
}

test('versions survive their rows, by ticker and for each issue in their order', () => {
  const versions = [version('B', 1), version('b', 9, 3), version('b', 3), version('ñ', 2, 4)];
  assert.deepEqual(termsVersions('x', rowsOfTermsVersions(versions)), versions);
});

test('terms that are no object of JSON are damage', () => {
  for (const text of ['{', '1', 'null', '']) {
    const row: TermsRow = ['AL30', '', text, 1, 'universe'];
    assert.throws(() => termsVersions('x', { stored: [row], replaced: [] }), {
      code: 'corrupt',
      message: /the terms of AL30 are not readable/,
    });
  }
});
