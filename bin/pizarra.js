// The first module of the program. bin/pizarra runs it. It sets up the process and then loads the
// command. It is plain JavaScript, so that an old Node can report that it is too old.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 26;

if (Number(process.versions.node.split('.')[0]) >= requiredMajor) {
  // Node caches compiled code across starts, beside the packages. This saves two thirds of the start
  // time. The variable passes the cache to threads and worker processes. Without it, each of them
  // loads the compiler that strips types. If the folder is not writable, the program starts without
  // the cache.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../node_modules/.cache/compiled', import.meta.url),
  );
  nodeModule.enableCompileCache();
  const entry = (await bundled()) ?? new URL('../src/cli/main.ts', import.meta.url);
  process.argv[1] = fileURLToPath(entry);
  await import(entry.href);
} else {
  const launcher = fileURLToPath(new URL('pizarra', import.meta.url));
  process.stderr.write(
    `pizarra: Node ${requiredMajor} or newer is required, and this is Node ${process.versions.node}. Run ${launcher} instead, which starts the Node that is installed with Pizarra.\n`,
  );
  process.exitCode = 1;
}

/**
 * The first module of the program that `npm run build` has bundled in a clone, if no source was changed since. It
 * starts sooner than the sources, and takes less memory.
 */
async function bundled() {
  const folder = new URL('../build/program/', import.meta.url);
  if (!existsSync(folder)) return undefined;
  const { isCurrent } = await import('../scripts/program/is-current.ts');
  const project = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
  const isUsable = isCurrent(project, fileURLToPath(folder));
  return isUsable ? new URL('dist/cli/main.js', folder) : undefined;
}
