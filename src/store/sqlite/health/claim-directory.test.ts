import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../../test/support/program/program.ts';
import { claimDirectory } from './claim-directory.ts';
import { once } from '../../../../test/support/wait.ts';

test('only one service at a time can claim a data directory', async () => {
  await using directory = await temporaryDirectory();
  const first = claimDirectory(directory.path);
  assert.throws(() => claimDirectory(directory.path), { name: 'StoreFault', code: 'busy' });
  first[Symbol.dispose]();
  claimDirectory(directory.path)[Symbol.dispose]();
});

test('a killed service leaves no claim behind', async () => {
  await using directory = await temporaryDirectory();
  const module = JSON.stringify(new URL('claim-directory.ts', import.meta.url).href);
  const script = `
    const { claimDirectory } = await import(${module});
    globalThis.claim = claimDirectory(${JSON.stringify(directory.path)});
    console.log('claimed');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  assert.throws(() => claimDirectory(directory.path), { code: 'busy' });
  child.kill('SIGKILL');
  await closed;
  claimDirectory(directory.path)[Symbol.dispose]();
});
