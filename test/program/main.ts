/** Bundles the program for `npm test`, whose tests start it some hundred times. */
import { join } from 'node:path';

import { bundleProgram } from './bundle.ts';

const project = join(import.meta.dirname, '../..');
await bundleProgram(project, join(project, 'build/test-program'));
