import { resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../../..');

/**
 * The first module of the program that tests start: `bin/pizarra.js`, as users start it, or that of
 * `TEST_PROGRAM`. `npm test` sets the variable to the program that it has bundled (`scripts/program/`).
 */
export const launcher = resolve(project, process.env['TEST_PROGRAM'] ?? 'bin/pizarra.js');
