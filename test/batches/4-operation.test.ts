/** What an operator does. */
import { importTests } from './import-tests.ts';

await importTests(['test/operation/**/*.test.ts']);
