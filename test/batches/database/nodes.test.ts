/** Nodes over one PostgreSQL. */
import { importTests } from '../import-tests.ts';

await importTests(['test/roles/**/*.test.ts']);
