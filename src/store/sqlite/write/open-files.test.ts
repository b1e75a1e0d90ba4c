import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { close, put } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const al30 = 'AL30' as Ticker;

for (const [file, what, change] of [
  ['pizarra.db-wal', /pizarra\.db-wal was deleted/, (path: string) => rmSync(path)],
  ['pizarra.db', /pizarra\.db was deleted/, (path: string) => renameSync(path, `${path}.old`)],
  [
    'pizarra.db-wal',
    /pizarra\.db-wal was replaced/,
    (path: string) => {
      rmSync(path);
      writeFileSync(path, '');
    },
  ],
] as const) {
  test(`nothing is acknowledged any more when a file in use is gone: ${String(what)}`, async (t) => {
    const directory = await temporaryDirectory(t);
    await using store = await openSqliteStore({ directory });
    await put(store, al30, [close('2026-05-04', 1)]);
    change(join(directory, file));
    for (const price of [2, 3]) {
      await assert.rejects(put(store, al30, [close('2026-05-05', price)]), {
        code: 'unavailable',
        message: what,
      });
    }
  });
}
