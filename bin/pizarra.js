// The program's first module, run by bin/pizarra. It sets up the process, and then loads the command.
// It is plain JavaScript, so that an old Node can report that it is too old.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
  process.argv[1] = entry;
  // Compiled code is cached beside the packages that it belongs to, which saves two thirds of the time
  // to start. The variable passes the cache on to threads and worker processes: without it, each of
  // them loads the compiler that strips types. Where the folder cannot be written, the start is as
  // slow as without a cache.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../node_modules/.cache/compiled', import.meta.url),
  );
  nodeModule.enableCompileCache();
  await import('../src/cli/main.ts');
} else {
  const launcher = fileURLToPath(new URL('pizarra', import.meta.url));
  process.stderr.write(
    `pizarra: Node ${requiredMajor} or newer is required, and this is Node ${process.versions.node}. Run ${launcher}, which starts the Node that "npm ci" installed.\n`,
  );
  process.exitCode = 1;
}
