/** The service as its users see it. */
import { importTests } from './import-tests.ts';

await importTests(['test/e2e/**/*.test.ts']);
