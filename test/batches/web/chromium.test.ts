/** The browser tests. All files share one browser and one demonstration. */
import { importTests } from '../import-tests.ts';

await importTests(['test/web/**/*.test.ts']);
