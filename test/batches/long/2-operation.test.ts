/** What an operator does. */
import { importLongTests } from '../import-tests.ts';

await importLongTests(['test/operation/**/*.test.ts']);
