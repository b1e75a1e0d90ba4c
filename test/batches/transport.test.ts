/** The tests of test/transport in one process: most of their processor time is the start of a process. */
import { importTests } from './import-tests.ts';

await importTests(['test/transport/*.test.ts']);
