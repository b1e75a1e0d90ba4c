/** The commands of imports and exports, and the files of vendors. */
import { importLongTests } from '../import-tests.ts';

await importLongTests(['test/import/**/*.test.ts']);
