#!/usr/bin/env node
// Finds the Node that the project pins and hands over to it, so that every way of starting
// (npm start, npx pizarra, the file itself) runs the same program whatever the machine carries.
// Plain JavaScript on purpose: an old Node must be able to read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
  process.argv[1] = entry;
  // Compiled code is kept from one start to the next, beside the packages it is of: it takes two
  // thirds off the time to start. Where the folder cannot be written, it starts as slowly as before.
  nodeModule.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
  );
  await import('../src/cli/main.ts');
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
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
