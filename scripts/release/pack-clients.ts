import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { pack } from '../package/pack.ts';
import { run } from './run.ts';

/** Builds and packs the clients of the repository into a folder. Returns the paths of the packages. */
export function packClients(
  project: string,
  { version, folder }: { readonly version: string; readonly folder: string },
): readonly string[] {
  const [typescript, python, perl] = ['typescript', 'python', 'perl'].map((name) =>
    join(project, 'clients', name),
  ) as [string, string, string];
  return [
    ...(existsSync(typescript) ? [packTypescript(typescript, folder)] : []),
    ...(existsSync(python) ? packPython(python, folder) : []),
    ...(existsSync(perl) ? [packPerl(perl, { version, folder })] : []),
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

/**
 * Builds the archive that CPAN and its clients install. It needs Perl with ExtUtils::MakeMaker, and make,
 * which write beside their input: they work on a copy. CPAN calls a pre-release TRIAL.
 */
export function packPerl(
  client: string,
  { version, folder }: { readonly version: string; readonly folder: string },
): string {
  const stage = mkdtempSync(join(folder, 'perl-'));
  try {
    cpSync(client, stage, { recursive: true });
    const [release = '', preRelease] = version.split('-');
    const name = `Finance-Quote-Pizarra-${release}${preRelease === undefined ? '' : '-TRIAL'}`;
    run('perl', ['Makefile.PL'], stage);
    run('make', ['dist', `DISTVNAME=${name}`], stage);
    const archive = join(stage, `${name}.tar.gz`);
    renameSync(archive, join(folder, basename(archive)));
    return join(folder, basename(archive));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
