import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Visitor } from 'oxc-parser';

import { readSourceTree } from '../../../test/support/project/source-tree.ts';

test('docs/importing.md has a row for every layout that an import recognises', () => {
  const names = new Set<string>();
  for (const { program } of readSourceTree('src/import/layouts')) {
    new Visitor({
      Property({ key, value }) {
        const isLayout = key.type === 'Identifier' && key.name === 'layout';
        if (isLayout && value.type === 'Literal') names.add(String(value.value));
      },
    }).visit(program);
  }
  assert.ok(names.size > 10);
  const page = readFileSync(new URL('../../../docs/importing.md', import.meta.url), 'utf8');
  assert.deepEqual(
    [...names].filter((name) => !page.includes(`\n| \`${name}\` `)),
    [],
  );
});
