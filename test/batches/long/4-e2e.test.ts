/** The service as its users see it, and the sources. */
import { importLongTests } from '../import-tests.ts';

await importLongTests(['test/{e2e,feeds}/**/*.test.ts']);
