#!/usr/bin/env node
// Finds the Node that the project pins and hands over to it, so that every way of starting
// (npm start, npx pizarra, the file itself) runs the same program whatever the machine carries.
// Plain JavaScript on purpose: an old Node must be able to read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const self = fileURLToPath(import.meta.url);
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const args = process.argv.slice(2);

// What can only be told to a process as it starts, and takes a quarter off the memory of a service:
// glibc keeps what a large buffer leaves behind for each of many threads, and V8 lets short-lived
// rows pile up. An operator who sets one of these variables is left alone.
const leanFlags = ['--max-semi-space-size=4'];
const leanVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
const wantsLean =
  args[0] === 'serve' && !Object.keys(leanVariables).some((name) => name in process.env);

if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
  if (wantsLean && process.execve !== undefined) {
    const command = [process.execPath, ...leanFlags, ...process.execArgv, self, ...args];
    process.execve(process.execPath, command, { ...process.env, ...leanVariables });
  }
  process.argv[1] = entry;
  // Compiled code is kept from one start to the next, beside the packages it is of: it takes two
  // thirds off the time to start. Where the folder cannot be written, it starts as slowly as before.
  nodeModule.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
  );
  await import('../src/cli/main.ts');
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [...(wantsLean ? leanFlags : []), self, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...(wantsLean ? leanVariables : {}) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
} else {
  process.stderr.write(
    `pizarra: needs Node ${requiredMajor} or newer, and this is ${process.versions.node}. Run "npm ci" in the project's folder: it brings the right one.\n`,
  );
  process.exitCode = 1;
}
