/** The sources. Their tests wait more than they compute. */
import { importTests } from './import-tests.ts';

await importTests(['test/feeds/**/*.test.ts', 'test/follow/*.test.ts']);
