/** The commands of imports and exports. */
import { importTests } from './import-tests.ts';

await importTests(['test/import/command/**/*.test.ts']);
