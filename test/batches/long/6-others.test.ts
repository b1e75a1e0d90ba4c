/** All long test files that no other batch has. */
import { importLongTests } from '../import-tests.ts';

await importLongTests([
  'test/*.test.ts',
  '{src,web}/**/*.test.ts',
  'test/!(docs|e2e|faults|feeds|import|operation|workers)/**/*.test.ts',
]);
