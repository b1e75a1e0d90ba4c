import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { panels } from './panels.ts';

const contract = join(import.meta.dirname, '../../../contract/openapi.json');

test('contract 2.4: the tabs have the panels of the contract, in its order, with its names', () => {
  const { components } = JSON.parse(readFileSync(contract, 'utf8')) as {
    readonly components: {
      readonly schemas: Readonly<
        Record<'Panel', { readonly 'x-enum-names': Readonly<Record<string, string>> }>
      >;
    };
  };
  const named = Object.entries(components.schemas.Panel['x-enum-names']);
  assert.deepEqual(
    panels.map(({ value, name }) => [value, name]),
    named,
  );
});
