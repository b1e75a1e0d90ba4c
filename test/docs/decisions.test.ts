import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'docs/decisions');

test('docs/decisions/dependencies.md has exactly the packages of package.json', () => {
  const page = readFileSync(join(folder, 'dependencies.md'), 'utf8');
  const [list = ''] = page.split('\n## ');
  const told = Array.from(list.matchAll(/^- (`.*?`):/gm)).flatMap(([, names = '']) =>
    Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  );
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>;
  assert.deepEqual(
    told.toSorted(),
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).toSorted(),
  );
});

test('decisions are numbered from 1 without gaps, in their names and headings', () => {
  const pages = readdirSync(folder)
    .filter((file) => /^\d/.test(file))
    .toSorted();
  for (const [at, file] of pages.entries()) {
    const number = at + 1;
    assert.equal(Number.parseInt(file, 10), number, file);
    const heading = /^# (\d+)\. /m.exec(readFileSync(join(folder, file), 'utf8'));
    assert.equal(heading?.[1], String(number), file);
  }
});
