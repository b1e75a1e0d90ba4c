/** The tests of test/transport in one process. In separate ones, process starts would take most of the time. */
import { importTests } from './import-tests.ts';

await importTests(['test/transport/**/*.test.ts']);
