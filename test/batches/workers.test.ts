/** The longest test file. It is in this folder to start first, so that no core waits for it at the end. */
import { importTests } from './import-tests.ts';

await importTests(['test/workers/*.test.ts']);
