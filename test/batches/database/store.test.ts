/** The store in PostgreSQL. */
import { importTests } from '../import-tests.ts';

await importTests(['src/store/postgres/**/*.test.ts']);
