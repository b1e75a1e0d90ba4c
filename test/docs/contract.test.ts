import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { describeClauses } from '../../contract/document/clauses.ts';
import { makeDocument, operations } from '../../contract/document/document.ts';

const project = resolve(import.meta.dirname, '../..');

/** Compares a generated file with what it should be. With `UPDATE_DOCS=1`, writes it. */
function assertFile(path: string, make: (old: string) => string): void {
  const file = join(project, path);
  const old = readFileSync(file, 'utf8');
  const text = make(old);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  else assert.ok(old === text, `${path} is old: run npm run docs`);
}

test('contract/openapi.json is the document that follows from the declared paths', () => {
  assertFile('contract/openapi.json', () => `${JSON.stringify(makeDocument(), undefined, 2)}\n`);
});

test('docs/contract.md has the tables of the declared parameters and fields', () => {
  assertFile('docs/contract.md', (old) => describeClauses(old, operations));
});

test('the clause of every declared path names the path', () => {
  const sections = readFileSync(join(project, 'docs/contract.md'), 'utf8').split(/\n(?=#{2,3} )/);
  const wrong = operations.filter(({ path, clause }) => {
    const number = clause.split('.').slice(0, 2).join('.');
    return sections.find((one) => one.startsWith(`### ${number} `))?.includes(path) !== true;
  });
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});
