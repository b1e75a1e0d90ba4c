/** Imports and exports. */
import { importTests } from './import-tests.ts';

await importTests(['test/import/**/*.test.ts']);
