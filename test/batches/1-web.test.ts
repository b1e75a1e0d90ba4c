/** The browser tests. All files share one browser and one demonstration. They take longest, so they start first. */
import { importTests } from './import-tests.ts';

await importTests(['test/web/**/*.test.ts']);
