import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CloseVersion } from '../../domain/history/versions.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { CellRow } from '../cells/table.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { Reject } from '../reports/import-summary.ts';
import { ChangesImport, isChangesExport } from './changes-import.ts';
import { changesHeader } from './version-cells.ts';

const at = '2026-11-20T15:00:00.000Z';
const universe = makeUniverse([{ ticker: 'A' }, { ticker: 'B' }]);

function rowOf(ticker: string, date: string, close: number, replacedAt = ''): CellRow {
  const replaced = replacedAt === '' ? ['', ''] : [replacedAt, 'fetch'];
  return [ticker, date, String(close), '', '', '', '', '', at, 'import', ...replaced];
}

function head(cells: CellRow): TableHead {
  return { path: 'a.csv', type: 'csv', rows: [cells] };
}

/** Imports rows into a store with these closes. */
async function importRows(
  rows: readonly CellRow[],
  stored: Readonly<Record<string, readonly CloseVersion[]>> = {},
) {
  const restored: [Ticker, readonly CloseVersion[]][] = [];
  const rejects: Reject[] = [];
  const versionsOf = (ticker: Ticker): readonly CloseVersion[] => stored[ticker] ?? [];
  const file = new ChangesImport({
    file: 'a.csv',
    firstLine: 3,
    names: universe,
    memory: { readCloses: async (ticker) => versionsOf(ticker) },
    onReject: (reject) => void rejects.push(reject),
  });
  async function* batches(): AsyncGenerator<readonly CellRow[]> {
    yield [[...changesHeader]];
    yield* await Promise.resolve([rows]);
  }
  const transaction = {
    read: async (ticker: Ticker): Promise<readonly DailyClose[]> =>
      versionsOf(ticker).map(({ value }) => value),
    restore: async (ticker: Ticker, versions: readonly CloseVersion[]) =>
      void restored.push([ticker, versions]),
  };
  await file.run(transaction, batches());
  return { file, restored, rejects };
}

test('only the whole header of an export with changes is one', () => {
  assert.ok(isChangesExport(head([...changesHeader])));
  assert.ok(!isChangesExport(head(changesHeader.slice(0, 8))));
  assert.ok(!isChangesExport(head([...changesHeader.slice(0, 11), 'other'])));
});

test('each instrument is restored as a whole, and counted', async () => {
  const { file, restored, rejects } = await importRows([
    rowOf('A', '2026-11-17', 1, at),
    rowOf('A', '2026-11-17', 2),
    rowOf('NO', '2026-11-17', 2),
    rowOf('B', '2026-11-17', 3),
  ]);
  assert.deepEqual(
    restored.map(([ticker, versions]) => [ticker, versions.map(({ value }) => value.close)]),
    [
      ['A', [1, 2]],
      ['B', [3]],
    ],
  );
  const { read, added, same, rejected } = file.tally.counts;
  assert.deepEqual([read, added, same, rejected], [4, 3, 0, 1]);
  assert.deepEqual(
    rejects.map(({ line, instrument, reason }) => [line, instrument, reason]),
    [[6, 'NO', 'unknown-ticker']],
  );
  assert.deepEqual(
    Array.from(file.tally.byTicker, ([ticker, counts]) => [ticker, counts.read, counts.added]),
    [
      ['A', 2, 2],
      ['B', 1, 1],
    ],
  );
});

test('what is stored already is counted and not written, and anything else is refused', async () => {
  const rows = [rowOf('A', '2026-11-17', 1, at), rowOf('A', '2026-11-17', 2)];
  const { restored } = await importRows(rows);
  const versions = restored[0]?.[1] ?? [];
  const again = await importRows(rows, { A: versions });
  assert.deepEqual([again.restored.length, again.file.tally.counts.same], [0, 2]);
  await assert.rejects(importRows(rows, { A: versions.slice(1) }), {
    name: 'ImportRefusal',
    code: 'not-empty',
  });
});
