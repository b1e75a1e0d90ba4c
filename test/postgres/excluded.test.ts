import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { excludedFiles, excludedTests } from './excluded.ts';
import { postgresTestFiles, postgresTestFolders } from './files.ts';

const project = join(import.meta.dirname, '../..');

function isInFolder(file: string): boolean {
  return postgresTestFolders.some((folder) => file.startsWith(`test/${folder}/`));
}

test('each test that is not run over PostgreSQL exists, would be run otherwise, and has a reason', async () => {
  for (const { file, reason } of excludedFiles) {
    assert.ok(isInFolder(file), file);
    assert.match(await readFile(join(project, file), 'utf8'), /\btest\(/, file);
    assert.ok(reason.length > 20, file);
  }
  const run = await postgresTestFiles();
  for (const { file, test: name, reason } of excludedTests) {
    assert.ok(run.includes(file), file);
    const text = await readFile(join(project, file), 'utf8');
    assert.ok(text.includes(`'${name}'`), `${file} has no test '${name}'`);
    assert.ok(reason.length > 20, name);
  }
});

test('no test that runs over PostgreSQL has the name of one that does not', async () => {
  const names = excludedTests.map(({ test: name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const file of await postgresTestFiles()) {
    const text = await readFile(join(project, file), 'utf8');
    for (const { test: name, file: own } of excludedTests) {
      if (file !== own) assert.ok(!text.includes(`'${name}'`), `${file}: ${name}`);
    }
  }
});
