import { spawnSync } from 'node:child_process';

import { findPostgres, type PostgresPrograms } from '../../support/postgres/postgres-programs.ts';

/** The Python for which Debian's Patroni is installed. The one of the PATH may be of another user. */
const python = '/usr/bin/python3';

/** The reason why three servers under Patroni cannot be started; false if they can. */
export function lacksPatroni(): string | false {
  const programs = findPostgres();
  if (typeof programs === 'string') return programs;
  const missing = ['patroni', 'etcd', python, 'setpriv'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  if (missing.length === 0) return false;
  return `${missing.join(', ')} not installed (on Debian: apt-get install patroni etcd-server python3-etcd)`;
}

export function postgresPrograms(): PostgresPrograms {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  return programs;
}

/**
 * Runs a program and adopts the orphans among its descendants. PostgreSQL below Patroni becomes an orphan,
 * and the first process of a container may not reap it. A server that was killed and not reaped cannot be
 * started again.
 */
const reaper = `
import ctypes, os, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
child = os.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        os.waitpid(-1, 0)
    except ChildProcessError:
        break
`;

/** The command that runs a program under a reaper, as the user of PostgreSQL, and dies with this process. */
export function reaped(programs: PostgresPrograms, command: readonly string[]): readonly string[] {
  const { user } = programs;
  const own =
    user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return [...own, '--pdeathsig', 'KILL', python, '-c', reaper, ...command];
}
