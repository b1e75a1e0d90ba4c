/** Files as people have them. */
import { importTests } from './import-tests.ts';

await importTests(['test/import/**/*.test.ts']);
