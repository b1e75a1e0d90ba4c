import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { runCommand } from '../../../test/support/program/run-command.ts';
import { compare as command } from './compare.ts';

test('a comparison refuses a reversed range, and a data directory without a store, which it does not create', async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  const compare = (range: { readonly from?: string; readonly to?: string }) =>
    runCommand(command, {
      args: { tickers: [] },
      flags: range as { readonly from?: PlainDate; readonly to?: PlainDate },
      settings: { store: data, market: 'argentina' },
    });
  await assert.rejects(compare({ from: '2024-03-05', to: '2024-03-04' }), {
    name: 'UsageFault',
    message: '--from 2024-03-05 is after --to 2024-03-04. Set --from to an earlier day.',
  });
  for (const range of [{}, { from: '2024-03-05', to: '2024-03-05' }]) {
    await assert.rejects(compare(range), { code: 'absent', message: /no store/ });
  }
});
