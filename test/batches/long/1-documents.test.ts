/** The commands of the documents. */
import { importLongTests } from '../import-tests.ts';

await importLongTests(['test/docs/**/*.test.ts']);
