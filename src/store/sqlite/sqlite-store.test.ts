import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { testStore } from '../../../test/store/store-suite.ts';
import { openSqliteStore } from './sqlite-store.ts';

testStore('sqlite', async (t) => {
  const directory = await temporaryDirectory(t);
  return { open: () => openSqliteStore({ directory }) };
});

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-store-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
