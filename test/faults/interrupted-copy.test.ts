import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { checkStores } from '../../src/operator/store/compare-stores.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';
import { killedCopy } from './killed-copy.ts';

test('after a kill, the target of a copy is refused by every command, and the same copy continues', async () => {
  await using place = await temporaryDirectory();
  const { from, to } = await killedCopy(place.path, (name) => join(place.path, name));
  const file = join(place.path, 'closes.csv');
  const commands = [
    ['serve', '--port', '0', '--private-port', '0', '--store', to],
    ['keys', 'list', '--store', to],
    ['keys', 'create', '--name', 'one', '--store', to],
    ['export', '--output', file, '--store', to],
    ['backup', join(place.path, 'backup.db'), '--store', to],
    ['store', 'check', '--store', to],
    ['store', 'copy', '--from', to, '--to', join(place.path, 'third')],
  ];
  // One after the other: each one is a process.
  for (const command of commands) {
    const { code, stderr } = await runPizarra(command);
    assert.equal(code, 1, `${command.join(' ')}: ${stderr}`);
    assert.match(
      stderr,
      /incomplete copy.*run "pizarra store copy" with the same --from and --to again/s,
    );
  }
  const again = await runPizarra(['store', 'copy', '--from', from, '--to', to]);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual((await checkStores(from, to)).differences, []);
  assert.equal((await runPizarra(['keys', 'list', '--store', to])).code, 0);
});
