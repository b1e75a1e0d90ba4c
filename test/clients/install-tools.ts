/**
 * Installs the linters and the generators for OpenAPI, DuckDB, and Bun, from `test/clients/tools/package-lock.json`.
 * They take 390 MB, so they are not development dependencies of the project. Without a registry, the tests that
 * need them are skipped.
 */
import { join } from 'node:path';

import { installTools } from '../support/program/install-tools.ts';
import { toolsFolder } from './programs.ts';

if (!installTools(join(import.meta.dirname, 'tools'), toolsFolder)) {
  process.stderr.write('The tools could not be installed. The tests that need them are skipped.\n');
}
