import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { generatedFiles } from '../../clients/generate/files.ts';

const root = new URL('../../', import.meta.url);

test('the types of the clients are those of contract/openapi.yaml', () => {
  for (const [path, text] of generatedFiles()) {
    const written = readFileSync(new URL(path, root), 'utf8');
    assert.equal(written, text, `${path} is old: npm run clients:types`);
  }
});
