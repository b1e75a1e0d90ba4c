/** The tests of the clients and of the contract document that need no further programs, in one process. */
import { importTests } from './import-tests.ts';

await importTests(['test/clients/*.test.ts']);
