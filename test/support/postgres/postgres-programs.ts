import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawnSync } from 'node:child_process';

/** Folders that contain one folder for each version of PostgreSQL, and the folder of its programs below it. */
const versioned = [
  // Debian and Ubuntu, PGDG's packages for them included.
  { parent: '/usr/lib/postgresql', programs: 'bin' },
  // PGDG's packages for Red Hat: /usr/pgsql-15/bin.
  { parent: '/usr', prefix: 'pgsql-', programs: 'bin' },
  { parent: '/opt/homebrew/opt', prefix: 'postgresql@', programs: 'bin' },
  { parent: '/usr/local/opt', prefix: 'postgresql@', programs: 'bin' },
] as const;

/** The programs of a PostgreSQL server, and the user to run them as. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL refuses to run as root. Absent if this process is not root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

let found: PostgresPrograms | string | undefined;

/** The newest installed PostgreSQL, or the reason why tests cannot use one. */
export function findPostgres(): PostgresPrograms | string {
  found ??= search();
  return found;
}

/** The option `skip` of a test that needs PostgreSQL: false, or the reason why there is none. */
export function lacksPostgres(): string | false {
  const programs = findPostgres();
  return typeof programs === 'string' ? programs : false;
}

function search(): PostgresPrograms | string {
  const folder = folders().find((one) => isProgram(join(one, 'initdb')));
  if (folder === undefined) {
    return 'PostgreSQL is not installed (on Debian: apt-get install postgresql)';
  }
  const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  if (process.getuid?.() !== 0) return programs;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number.parseInt(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout, 10),
  );
  if (uid === undefined || gid === undefined || Number.isNaN(uid + gid)) {
    return 'PostgreSQL does not run as root, and there is no user postgres';
  }
  return { ...programs, user: { uid, gid } };
}

function folders(): readonly string[] {
  const installed = versioned.flatMap(({ parent, programs, ...rest }) => {
    const prefix = 'prefix' in rest ? rest.prefix : '';
    return entriesOf(parent)
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => ({
        version: Number(name.slice(prefix.length)),
        folder: join(parent, name, programs),
      }));
  });
  const newestFirst = installed.toSorted((a, b) => b.version - a.version);
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => one !== '');
  return [...newestFirst.map(({ folder }) => folder), ...path];
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
