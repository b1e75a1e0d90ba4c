/**
 * The unit tests, which are beside their sources, in one process. A process for each file takes twice the
 * processor time. A file runs alone too: `node --test src/domain/quote.test.ts`.
 */
import { importTests } from './import-tests.ts';

await importTests(['src/**/*.test.ts', 'web/src/**/*.test.ts']);
