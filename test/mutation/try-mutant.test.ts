import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { Coverages } from './coverage.ts';
import { mutantsOf } from './mutants.ts';
import { findTestFiles } from './test-files.ts';
import { tryMutant } from './try-mutant.ts';

const root = resolve(import.meta.dirname, '../..');
const file = 'src/lib/network/url-host.ts';

test('the tests that execute a mutant load it, and the file on disk is not changed', async () => {
  const source = readFileSync(join(root, file), 'utf8');
  const tools = {
    tests: findTestFiles().filter(({ path }) => path.startsWith('src/lib/')),
    coverages: new Coverages((fault) => {
      throw fault;
    }),
    budgetMs: 60_000,
    nearOnly: true,
  };
  const mutant = mutantsOf(file, source).find(({ operator }) => operator === 'condition');
  if (mutant === undefined) throw new Error('no mutant');
  const { outcome, by } = await tryMutant(mutant, tools);
  assert.deepEqual([outcome, by], ['killed', 'src/lib/network/url-host.test.ts']);
  assert.equal(readFileSync(join(root, file), 'utf8'), source);
  const none = { ...mutant, end: mutant.start, replacement: ' ' };
  assert.equal((await tryMutant(none, tools)).outcome, 'survived', 'adding a space has no effect');
});
