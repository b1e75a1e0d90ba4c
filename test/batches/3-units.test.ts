/**
 * The unit tests, which are beside their sources, in one process. One process per file takes twice the processor
 * time. A single file can also be run alone: `node --test src/domain/quotes/quote.test.ts`.
 */
import { importTests } from './import-tests.ts';

await importTests([
  'src/!(store)/**/*.test.ts',
  'src/store/!(postgres)/**/*.test.ts',
  'web/src/**/*.test.ts',
]);
