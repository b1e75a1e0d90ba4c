// The first module of the program. bin/pizarra runs it. It sets up the process and then loads the
// command. It is plain JavaScript, so that an old Node can report that it is too old.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;
const entry = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
  process.argv[1] = entry;
  // Node caches compiled code across starts, beside the packages. This saves two thirds of the start
  // time. The variable passes the cache to threads and worker processes. Without it, each of them
  // loads the compiler that strips types. If the folder is not writable, the program starts without
  // the cache.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../node_modules/.cache/compiled', import.meta.url),
  );
  nodeModule.enableCompileCache();
  await import('../src/cli/main.ts');
} else {
  const launcher = fileURLToPath(new URL('pizarra', import.meta.url));
  process.stderr.write(
    `pizarra: Node ${requiredMajor} or newer is required, and this is Node ${process.versions.node}. Run ${launcher} instead, which starts the Node that is installed with Pizarra.\n`,
  );
  process.exitCode = 1;
}
