import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openTestStore } from '../../../test/support/program/test-store.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { TermsFollower } from './follow-terms.ts';

function issue(ticker: string, ...series: readonly string[]): IssueTerms {
  return { ticker: ticker as Ticker, series: series.map((one) => one as Ticker), values: {} };
}

test('every class that has or had terms is reported when terms have changed, and not before', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  const reports: (readonly Ticker[])[] = [];
  const follower = new TermsFollower(store, (tickers) => void reports.push(tickers));
  const put = [issue('AL30', 'AL30D'), issue('GD30')];
  await store.terms.record({ put, remove: [] }, changeAt(1));
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(reports, []);
  await store.terms.record({ put: [issue('AL30', 'AL30C')], remove: [] }, changeAt(2));
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(reports, [['AL30', 'AL30D', 'AL30C', 'GD30']]);
});

test('a read that fails is repeated by the next call', async () => {
  let revision = 1;
  let isDown = true;
  let reports = 0;
  const follower = new TermsFollower(
    {
      terms: { revision: async () => revision },
      memory: {
        readTerms: async () => {
          if (isDown) throw new Error('down');
          return [];
        },
      },
    },
    () => void (reports += 1),
  );
  await follower.catchUp();
  revision = 2;
  await assert.rejects(follower.catchUp(), /down/);
  isDown = false;
  await follower.catchUp();
  assert.equal(reports, 1);
});
