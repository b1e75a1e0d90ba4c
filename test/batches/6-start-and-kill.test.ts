/** A start of the program and kills under load. */
import { importTests } from './import-tests.ts';

await importTests(['test/{e2e,faults}/**/*.test.ts']);
