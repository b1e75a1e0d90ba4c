import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { runHistoryCompare } from './compare-history.ts';

const universe = join(import.meta.dirname, '../../../universe');

test('a comparison refuses a reversed range, and a data directory without a store, which it does not create', async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  const compare = (range: { readonly from?: string; readonly to?: string }) =>
    runHistoryCompare({
      settings: { store: data, universe, market: 'argentina' },
      file: undefined,
      tickers: [],
      log: silentLog,
      signal: new AbortController().signal,
      onDifferences: () => assert.fail('nothing is compared'),
      ...(range as { readonly from?: PlainDate; readonly to?: PlainDate }),
    });
  await assert.rejects(compare({ from: '2024-03-05', to: '2024-03-04' }), {
    name: 'UsageFault',
    message: '--from 2024-03-05 is after --to 2024-03-04. Set --from to an earlier day.',
  });
  for (const range of [{}, { from: '2024-03-05', to: '2024-03-05' }]) {
    await assert.rejects(compare(range), { code: 'absent', message: /no store/ });
  }
});
