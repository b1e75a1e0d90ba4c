import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { csvHead } from '../../test/support/import/table-head.ts';
import { noActions } from '../domain/history/corporate-actions.ts';
import { CloseTargets } from './closes/close-target.ts';
import { FileImport } from './file-import.ts';
import { planFile } from './plan-file.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }]);
const head = csvHead('GGAL.csv', 'fecha,cierre\n2026-11-16,1.5');

/** The numbers of closes that are written at a time, for rows that arrive one by one. */
async function writtenPer(bytesPerRow: number, rows: number): Promise<readonly number[]> {
  const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20, 21), noActions);
  const file = new FileImport(
    {
      file: head.path,
      firstLine: 1,
      source: 'import:GGAL.csv',
      hasActions: false,
      onReject: () => assert.fail('a row was rejected'),
      onActions: () => assert.fail('it has no actions'),
      onProgress: () => {},
    },
    planFile(head, {}, { universe, targets }),
  );
  const written: number[] = [];
  let bytesRead = 0;
  async function* batches() {
    yield [['fecha', 'cierre']];
    for (let at = 0; at < rows; at += 1) {
      bytesRead += bytesPerRow;
      yield await Promise.resolve([['2026-11-16', '1.5']]);
    }
  }
  const transaction = {
    read: async () => [],
    put: async () => void written.push(file.tally.counts.read),
    restore: async () => {},
  };
  await file.run(transaction, batches(), () => bytesRead);
  return written;
}

test('pending closes are written after 32 MiB of the file, even when they are few', async () => {
  const mebibyte = 2 ** 20;
  assert.deepEqual(await writtenPer(8 * mebibyte, 12), [5, 10, 12]);
  assert.deepEqual(await writtenPer(1, 12), [12]);
});

test('pending closes are written as soon as there are 20,000 of them', async () => {
  assert.deepEqual(await writtenPer(0, 20_003), [20_000, 20_003]);
});
