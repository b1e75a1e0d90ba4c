import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const src = resolve(import.meta.dirname, '../../src');

/** Only commands load these, and they end soon. */
const ofCommands = ['cli/', 'import/'];

// The first use of `Intl` reads Node's tables of languages.
test('a start of the service takes no memory for Intl: no module makes its objects when it is loaded', () => {
  const modules = globSync('**/*.ts', { cwd: src, exclude: ['**/*.test.ts'] });
  const early = modules
    .filter((name) => !ofCommands.some((folder) => name.startsWith(folder)))
    .filter((name) => /^\S.*\bIntl\.\w+\(/m.test(readFileSync(join(src, name), 'utf8')));
  assert.ok(modules.length > 500);
  assert.deepEqual(early, []);
});
