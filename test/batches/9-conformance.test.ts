/** The tests of test/conformance in one process. In separate ones, process starts would take a quarter of the time. */
import { importTests } from './import-tests.ts';

await importTests(['test/conformance/**/*.test.ts']);
