/** Workers and faults. */
import { importLongTests } from '../import-tests.ts';

await importLongTests(['test/{workers,faults}/**/*.test.ts']);
