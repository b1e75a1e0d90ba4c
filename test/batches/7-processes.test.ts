/** Workers, kills and faults. */
import { importTests } from './import-tests.ts';

await importTests(['test/{workers,durability,faults}/**/*.test.ts']);
