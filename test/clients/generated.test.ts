import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { generatedFiles } from '../../clients/generate/files.ts';

const root = new URL('../../', import.meta.url);

test('the types of the clients are those of the contract', () => {
  for (const [path, text] of generatedFiles()) {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(new URL(path, root), text);
    const written = readFileSync(new URL(path, root), 'utf8');
    assert.equal(written, text, `${path} is old: npm run docs`);
  }
});
