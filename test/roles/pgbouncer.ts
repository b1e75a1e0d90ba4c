import { spawn, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'node:net';

import { unusedPort } from '../support/program/unused-ports.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { findPostgres } from '../support/postgres/postgres-programs.ts';
import { once, until } from '../support/wait.ts';

/** A pooler in front of a server of the test. */
export interface Pooler extends AsyncDisposable {
  readonly port: number;
}

/** Why a test cannot start PgBouncer; false if it can. */
export function lacksPgBouncer(): string | false {
  const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
  const { error } = spawnSync('pgbouncer', ['--version'], { env });
  return error === undefined ? false : 'pgbouncer is not installed';
}

/** Starts PgBouncer in a mode, in front of a server on 127.0.0.1. */
export async function startPgBouncer(
  mode: 'session' | 'transaction' | 'statement',
  serverPort: number,
): Promise<Pooler> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: directory } = cleanUp.use(await temporaryDirectory());
  const port = await unusedPort();
  const [file, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
max_client_conn = 200
logfile =
`,
  );
  await writeFile(users, '"pizarra" ""\n');
  await chmod(directory, 0o755);
  const programs = findPostgres();
  // PgBouncer refuses to run as root.
  const user = typeof programs === 'string' ? undefined : programs.user;
  const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
  const child = spawn('pgbouncer', ['-q', file], { env, stdio: 'ignore', ...user });
  cleanUp.defer(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  });
  await until('the pooler listens', async () => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
  const running = cleanUp.move();
  return { port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
