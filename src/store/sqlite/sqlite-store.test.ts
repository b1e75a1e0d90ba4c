import { testStore } from '../../../test/store/suites/store-suite.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { openSqliteStore } from './sqlite-store.ts';

for (const writer of ['inline', 'worker'] as const) {
  testStore(`sqlite, writer ${writer}`, async (t) => {
    const directory = await temporaryDirectory(t);
    return { open: () => openSqliteStore({ directory, writer }) };
  });
}
