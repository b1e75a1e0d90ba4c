import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { launcher } from '../../../test/support/program/launcher.ts';
import { once, processMsMax } from '../../../test/support/wait.ts';

const run = promisify(execFile);
// oxlint-disable-next-line no-control-regex
const actedOn = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('every command writes through print, so that no escape sequence from outside reaches a terminal', () => {
  const files = ['cli', 'commands', 'operator'].flatMap((folder) => {
    const path = join(import.meta.dirname, '../..', folder);
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names.map((name) => join(path, name));
  });
  const direct = files
    .filter((file) => file.endsWith('.ts') && !/\/print\.ts$|\.test\.ts$/.test(file))
    .filter((file) => /std(?:out|err)\.write|console\./.test(readFileSync(file, 'utf8')));
  assert.ok(files.length > 80);
  assert.deepEqual(direct, []);
});

test('the error about an invalid call shows its arguments in printable form', async () => {
  const args = [launcher, 'import', 'x.csv', '--\u001b[31m\u202ex'];
  const failed = (await run(process.execPath, args).catch((error: unknown) => error)) as {
    readonly stderr: string;
  };
  assert.match(failed.stderr, /unknown option '--\\u001b\[31m\\u202ex'/);
  assert.doesNotMatch(failed.stderr, actedOn);
});

test('a command whose reader has gone discards the rest of its output, and ends silently with 0', async () => {
  const print = JSON.stringify(join(import.meta.dirname, 'print.ts'));
  const script = `
    const { print, printCsv, readerGone } = await import(${print});
    const gone = new Promise((resolve) => readerGone.addEventListener('abort', resolve));
    // The input ends when the reader of the output has gone.
    for await (const _ of process.stdin);
    print('first');
    await gone;
    print('second');
    printCsv('third');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  const errors = child.stderr.setEncoding('utf8').toArray();
  assert.deepEqual(await once(child, 'close', { withinMs: processMsMax }), [0, null]);
  assert.deepEqual(await errors, []);
});

test('a command that cannot write its output to the disk says so, and fails', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('this system has no /dev/full');
  const full = openSync('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, [launcher, '--version'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const errors = child.stderr?.setEncoding('utf8').toArray() ?? assert.fail();
    assert.deepEqual(await once(child, 'close', { withinMs: processMsMax }), [1, null]);
    assert.match((await errors).join(''), /^pizarra: could not write to standard output: ENOSPC/);
  } finally {
    closeSync(full);
  }
});

test('the log for people shows control characters of its data, and keeps the lines of a stack', async () => {
  const script = `
    const { makeLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../node/log/make-log.ts'))});
    const { log } = await makeLog({ logLevel: 'info', logFormat: 'pretty' });
    const outside = 'C:\\\\u001b \\u001b[2J \\u009b31m \\u202e \\u007f ñ';
    log.info({ path: outside, nested: { outside } }, outside);
    log.error({ err: new Error(outside) }, 'failed');
  `;
  const { stderr } = await run(process.execPath, ['--input-type=module', '-e', script]);
  assert.doesNotMatch(stderr, actedOn);
  const shown = String.raw`\u001b[2J \u009b31m \u202e \u007f ñ`;
  assert.ok(stderr.includes(String.raw`: C:\u001b ${shown}`), stderr);
  assert.ok(stderr.includes(`Error: C:`), stderr);
  assert.match(stderr, /\n\s+at /);
});
