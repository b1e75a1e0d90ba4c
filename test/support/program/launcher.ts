import { resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../../..');

/**
 * The first module of the program that tests start: that of the sources, as users start it, or that of
 * `TEST_PROGRAM`. `npm test` sets the variable to the program that `test/program/` has bundled, which
 * starts in half of the processor time.
 */
export const launcher = resolve(project, process.env['TEST_PROGRAM'] ?? 'bin/pizarra.js');
