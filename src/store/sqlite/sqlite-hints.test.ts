import assert from 'node:assert/strict';
import { test } from 'node:test';

import { storedQuote } from '../../../test/support/market/stored-quote.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { until } from '../../../test/support/wait.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { openSqliteStore } from './sqlite-store.ts';

test('a store that is open to read hints at each change of another connection, while somebody subscribes', async (t) => {
  const directory = await temporaryDirectory(t);
  await using writing = await openSqliteStore({ directory });
  await using reading = await openSqliteStore({ directory, mode: 'read' });
  let hinted = 0;
  const commit = (version: number) =>
    writing.quotes.commit({ quotes: [storedQuote('GGAL' as Ticker, version)], closes: [] });
  {
    using _ = reading.hints.subscribe(() => void (hinted += 1));
    // A subscriber does not know what it has missed before.
    await until('the first hint', () => hinted === 1);
    for (const version of [1, 2, 3]) {
      await commit(version);
      await until(`the hint of version ${version}`, () => hinted === version + 1);
    }
  }
  await commit(4);
  let later = 0;
  using _ = reading.hints.subscribe(() => void (later += 1));
  await until('the change meanwhile', () => later === 1);
  assert.equal(hinted, 4);
});
