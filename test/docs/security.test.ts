import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { generateKey, isWellFormedKey } from '../../src/auth/api-key.ts';
import { base62Digits } from '../../src/lib/text/base62.ts';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

test('the pattern for scanners in docs/security.md matches every key completely', () => {
  const pattern = /^\\bpz_.*$/m.exec(page)?.[0] ?? assert.fail('no pattern');
  for (let made = 0; made < 1_000; made += 1) {
    const key = generateKey(randomBytes);
    const found = new RegExp(pattern).exec(`API_KEY="${key}";\n`);
    assert.equal(found?.[0], key);
  }
});

test('the test key in docs/security.md is well formed, and the digits are those of the program', () => {
  const [sample = ''] = /pz_0[0-9A-Za-z]+/.exec(page) ?? [];
  assert.ok(isWellFormedKey(sample), sample);
  assert.ok(page.includes(`"${base62Digits}"`));
});
