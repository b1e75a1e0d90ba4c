/** All test files that no other batch has, so that those of a new folder run without being listed. */
import { importTests } from './import-tests.ts';

await importTests([
  'test/*.test.ts',
  'test/!(batches|clients|conformance|contract|e2e|faults|feeds|follow|import|recipes|roles|transport|web)/**/*.test.ts',
]);
