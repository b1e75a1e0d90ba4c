import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { readConfig } from './read-config.ts';

test('a configuration that is no YAML, whose aliases multiply, or that is too long is refused with what to do', async (t) => {
  const path = join(await temporaryDirectory(t), 'a.yaml');
  const levels = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (const [one, next] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) {
    levels.push(`${next}: &${next} [${Array.from({ length: 9 }, () => `*${one}`).join()}]`);
  }
  const lines = `port: 8080\n#${'x'.repeat(1_048_576)}\n`;
  for (const [text, message] of [
    ['port: 80\n\thost: x\n', /a\.yaml:2:1: invalid YAML: Tabs are not allowed as indentation\.$/],
    [levels.join('\n'), /a\.yaml: its aliases .* cannot be resolved: .* Write the values instead/],
    [lines, /a\.yaml has more than 1048576 characters, the maximum/],
    [`feeds: ${'['.repeat(100_000)}`, /a\.yaml:1:108: more than 100 brackets within one another/],
  ] as const) {
    await writeFile(path, text);
    await assert.rejects(readConfig(path), (fault) => {
      assert.ok(fault instanceof UsageFault);
      assert.match(fault.message, message);
      return true;
    });
  }
  await writeFile(path, 'port: &p 8080\nprivatePort: *p\n');
  assert.deepEqual((await readConfig(path))?.values, { port: 8080, privatePort: 8080 });
});
