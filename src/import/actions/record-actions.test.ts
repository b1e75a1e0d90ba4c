import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { StoreChange } from '../../domain/changes/version.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { recordActions } from './file-actions.ts';

function dividend(day: number, amount: number, source: string): CorporateAction {
  const base = { ticker: 'GGAL' as Ticker, exDay: day as EpochDay, source };
  return { ...base, type: 'cash-dividend', amount, currency: 'ARS' };
}

test('what another process has recorded since the decision is not replaced', async () => {
  const [equal, other, free] = [dividend(1, 1, 'f'), dividend(2, 2, 'f'), dividend(3, 3, 'f')];
  const written: CorporateAction[] = [];
  const store = {
    readAll: () =>
      Promise.resolve({ revision: 1, values: [dividend(1, 1, 'x'), dividend(2, 9, 'x')] }),
    apply: ({ put = [] }: { readonly put?: readonly CorporateAction[] }, change: StoreChange) => {
      assert.deepEqual(change, { at: 77, origin: 'import' });
      written.push(...put);
      return Promise.resolve([]);
    },
  };
  const put = [equal, other, free];
  assert.deepEqual(await recordActions(store, { put, same: 4, leftOut: [] }, 77), {
    added: 1,
    same: 5,
    leftOut: [{ action: other, reason: 'recorded' }],
  });
  assert.deepEqual(written, [free]);
});
