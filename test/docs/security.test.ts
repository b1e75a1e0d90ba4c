import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { generateKey, isWellFormedKey } from '../../src/auth/api-key.ts';
import { base62Digits } from '../../src/lib/text/base62.ts';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

test('the pattern for scanners in docs/security.md matches every key completely', () => {
  const pattern = /^\\bpzc\?_.*$/m.exec(page)?.[0] ?? assert.fail('no pattern');
  for (let made = 0; made < 1_000; made += 1) {
    const key = generateKey(randomBytes, made % 2 === 0 ? 'header' : 'url');
    const found = new RegExp(pattern).exec(`API_KEY="${key}";\n`);
    assert.equal(found?.[0], key);
  }
});

test('the test keys in docs/security.md are well formed, and the digits are those of the program', () => {
  for (const place of ['header', 'url'] as const) {
    const [sample = ''] =
      (place === 'url' ? /pzc_0[0-9A-Za-z]+/ : /pz_0[0-9A-Za-z]+/).exec(page) ?? [];
    assert.ok(isWellFormedKey(sample, place), sample);
  }
  assert.ok(page.includes(`"${base62Digits}"`));
});

test('the program for checksums in docs/security.md accepts the test keys and new keys, and no mistyped one', (t) => {
  const program = /```python\n(import re, zlib[\s\S]*?)```/.exec(page)?.[1] ?? assert.fail();
  const keys = [
    ...(page.match(/pzc?_0[0-9A-Za-z]+/g) ?? []),
    generateKey(randomBytes),
    generateKey(randomBytes, 'url'),
  ];
  const mistyped = keys.map((key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
  const script = `${program}\nimport sys\nprint([is_key(one) for one in sys.argv[1:]])`;
  const ran = spawnSync('python3', ['-c', script, ...keys, ...mistyped], { encoding: 'utf8' });
  if (ran.error !== undefined) return t.skip('python3 is not installed');
  const expected = [...keys.map(() => 'True'), ...mistyped.map(() => 'False')];
  assert.equal(ran.stdout.trim(), `[${expected.join(', ')}]`, ran.stderr);
});
