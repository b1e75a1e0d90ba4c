// The first module of the program. bin/pizarra runs it. It sets up the process and then loads the
// command. It is plain JavaScript, so that an old Node can report that it is too old.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const self = fileURLToPath(import.meta.url);
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const args = process.argv.slice(2);

// These options and variables can only be set when a process starts. They reduce the memory of a
// service by a quarter. Otherwise glibc keeps freed memory for each of many threads, and V8
// collects short-lived objects late. If the operator sets one of the variables, nothing is changed.
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
  // Node caches compiled code across starts, beside the packages. This saves two thirds of the
  // start time. If the folder is not writable, the program starts without the cache.
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
