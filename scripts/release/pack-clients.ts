import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { pack } from '../package/pack.ts';
import { run } from './run.ts';

/** Builds and packs the clients of the repository into a folder. Returns the paths of the packages. */
export async function packClients(project: string, folder: string): Promise<readonly string[]> {
  const [typescript, python] = ['typescript', 'python'].map((name) =>
    join(project, 'clients', name),
  ) as [string, string];
  return [
    ...(existsSync(typescript) ? [packTypescript(typescript, folder)] : []),
    ...(existsSync(python) ? await packPython(project, python, folder) : []),
  ];
}

function packTypescript(client: string, folder: string): string {
  run('npm', ['run', 'build'], client);
  return pack(client, folder);
}

/** Calls the build backend that the client names, which needs no further package. */
const buildSource =
  'import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])';

/** Builds the source distribution from a copy, because the build writes beside the sources. */
async function packPython(
  project: string,
  client: string,
  folder: string,
): Promise<readonly string[]> {
  const copy = join(project, 'build/python');
  await rm(copy, { recursive: true, force: true });
  await cp(client, copy, { recursive: true });
  try {
    run('python3', ['-c', buildSource, folder], copy);
  } catch (cause) {
    throw new Error(
      'The Python client cannot be built. It needs python3 with setuptools 61 or newer.',
      {
        cause,
      },
    );
  }
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.tar.gz')).map((name) => join(folder, name));
}
