/** The pages of `docs/integraciones/`: their index, and what they must not contain. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { isWellFormedKey } from '../../src/auth/api-key.ts';
import { blocksIn, documents, linksIn, project, recipePages, textOf } from './blocks.ts';

const index = 'docs/integraciones/README.md';

test('the index has a row for each page, and each row has a page', () => {
  const rows = textOf(index)
    .split('\n')
    .filter((line) => line.startsWith('- ['))
    .flatMap((line) => linksIn(line).slice(0, 1));
  const names = recipePages().map((page) => page.slice('docs/integraciones/'.length));
  assert.ok(names.length > 0);
  assert.deepEqual(rows.toSorted(), names.toSorted());
});

test('no document has a valid key, except the keys for testing scanners', () => {
  const samples = new Set(textOf('docs/security.md').match(/\bpzc?_0{20}[0-9A-Za-z]{16}\b/g));
  assert.equal(samples.size, 2);
  const found = documents().flatMap((document) =>
    Array.from(textOf(document).matchAll(/pzc?_[0-9A-Za-z]{36}/g), ([key]) => ({ document, key })),
  );
  assert.ok(found.some(({ key }) => isWellFormedKey(key)));
  assert.deepEqual(
    found.filter(({ key }) => isWellFormedKey(key) && !samples.has(key)),
    [],
  );
});

test('each block of a recipe is run or parsed by a test', () => {
  const tests = readdirSync(join(project, 'test/recipes')).map((name) => `test/recipes/${name}`);
  const sources = tests.filter((path) => path.endsWith('.test.ts')).map(textOf);
  for (const page of recipePages()) {
    const blocks = blocksIn(page);
    // Nothing else reads a text. The test of all documents runs the other blocks.
    const unread = blocks.filter(({ isRecipe, language }) => !isRecipe && language === 'text');
    assert.deepEqual(unread, [], `${page}: mark it with "receta", and take it in a test`);
    if (!blocks.some(({ isRecipe }) => isRecipe)) continue;
    const call = `readRecipe('${page.slice('docs/integraciones/'.length)}')`;
    assert.ok(
      sources.some((source) => source.includes(call)),
      `no test in test/recipes has ${call}`,
    );
  }
});
