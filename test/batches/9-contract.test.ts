/** The tests of test/contract in one process. In separate ones, process starts would take most of the time. */
import { importTests } from './import-tests.ts';

await importTests(['test/contract/**/*.test.ts']);
