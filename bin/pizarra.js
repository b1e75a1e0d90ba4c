// The program's first module, run by bin/pizarra. It sets up the process, and then loads the command.
// It is plain JavaScript, so that an old Node can report that it is too old.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const self = fileURLToPath(import.meta.url);
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
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
} else {
  const launcher = fileURLToPath(new URL('pizarra', import.meta.url));
  process.stderr.write(
    `pizarra: Node ${requiredMajor} or newer is required, and this is Node ${process.versions.node}. Run ${launcher}, which starts the Node that "npm ci" installed.\n`,
  );
  process.exitCode = 1;
}
