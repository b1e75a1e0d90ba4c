import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { pack } from '../package/pack.ts';
import { run } from './run.ts';

/** Builds and packs the clients of the repository into a folder. Returns the paths of the packages. */
export function packClients(project: string, folder: string): readonly string[] {
  const [typescript, python] = ['typescript', 'python'].map((name) =>
    join(project, 'clients', name),
  ) as [string, string];
  return [
    ...(existsSync(typescript) ? [packTypescript(typescript, folder)] : []),
    ...(existsSync(python) ? packPython(python, folder) : []),
  ];
}

function packTypescript(client: string, folder: string): string {
  run('npm', ['run', 'build'], client);
  return pack(client, folder);
}

/** Calls the build backend of the client, which needs only Python (`clients/python/build_backend`). */
const buildAll =
  'import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "build_backend"); ' +
  'import pizarra_build as b; print(b.build_sdist(sys.argv[1])); print(b.build_wheel(sys.argv[1]))';

/** Builds the source distribution and the wheel. */
export function packPython(client: string, folder: string): readonly string[] {
  const names = run('python3', ['-c', buildAll, folder], client).trim().split('\n');
  return names.map((name) => join(folder, name));
}
