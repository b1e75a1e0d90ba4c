import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { csvHead } from '../../test/support/import/table-head.ts';
import { noActions } from '../domain/history/corporate-actions.ts';
import { CloseTargets } from './closes/close-target.ts';
import { FileImport } from './file-import.ts';
import { planFile } from './plan-file.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
const head = csvHead('x.csv', 'ticker,fecha,cierre\nGGAL,2026-11-16,1.5');

/** Imports rows one by one, of these instruments in turns. Returns the number of rows read at each write. */
async function writtenPer(
  bytesPerRow: number,
  rows: number,
  tickers: readonly string[] = ['GGAL'],
): Promise<readonly number[]> {
  const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20, 21), noActions);
  const file = new FileImport(
    {
      file: head.path,
      firstLine: 1,
      source: 'import:x.csv',
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
    yield [['ticker', 'fecha', 'cierre']];
    for (let at = 0; at < rows; at += 1) {
      bytesRead += bytesPerRow;
      const ticker = tickers[at % tickers.length] ?? '';
      yield await Promise.resolve([[ticker, '2026-11-16', '1.5']]);
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

test('pending closes are written as soon as there are 20,000 of them, over all instruments', async () => {
  assert.deepEqual(await writtenPer(0, 20_003), [20_000, 20_003]);
  const both = [20_000, 20_000, 20_003, 20_003];
  assert.deepEqual(await writtenPer(0, 20_003, ['GGAL', 'YPFD']), both);
});
