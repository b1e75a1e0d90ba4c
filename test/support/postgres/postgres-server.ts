import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { findPostgres, type PostgresPrograms } from './postgres-programs.ts';
import { unusedPort } from '../program/unused-ports.ts';
import { deferred, once, processMsMax } from '../wait.ts';

type Child = ChildProcessByStdio<null, null, Readable>;

/** The user and the database of the tests. */
const user = 'pizarra';
const database = 'postgres';

/** Options of {@link startPostgres}. */
export interface ServerOptions {
  /** Whether commits are synced to the disk. By default they are not, because tests stop the program only. */
  readonly isDurable?: boolean;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The lines of `pg_hba.conf`. By default, everybody on this machine is trusted. */
  readonly hba?: string;
  /** A stopped server. The new one is a physical copy of it, which follows nobody until it is promoted. */
  readonly copyOf?: PostgresServer;
  /** The port to listen on. By default any unused one. */
  readonly port?: number;
  /** With `own`, the server has a system identifier of its own. Otherwise all servers of this process are copies. */
  readonly initdb?: 'own';
  /** Encrypts connections that request it. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** A PostgreSQL server of a test: it listens on 127.0.0.1 and on a socket in its directory. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  /** URL of a place in this server. Every schema is a place of its own. */
  url(schema: string, parameters?: Readonly<Record<string, string>>): string;
  /** Name of a schema that no other test of this process uses. */
  unusedSchema(): string;
  /** Kills all processes of the server without any warning, as a crash of the machine does. */
  kill(): Promise<void>;
  /** Stops the server as an operator does: sessions are closed. */
  stop(): Promise<void>;
  /** Starts the stopped or killed server again on the same port. */
  start(): Promise<void>;
  /** Suspends all processes of the server: connections stay open, and nothing answers. */
  freeze(): Promise<void>;
  /** Continues the processes that {@link freeze} has suspended. */
  thaw(): void;
}

/** Creates a database cluster in a temporary directory, and starts its server. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-pg-'));
  if (programs.user !== undefined) await chown(directory, programs.user.uid, programs.user.gid);
  const data = join(directory, 'data');
  const { hba, certificate, copyOf } = options;
  await run('cp', ['-a', await sourceOf(options, programs), data]);
  if (copyOf !== undefined) {
    const mark = join(data, 'standby.signal');
    await writeFile(mark, '');
    if (programs.user !== undefined) await chown(mark, programs.user.uid, programs.user.gid);
  }
  if (hba !== undefined) await writeFile(join(data, 'pg_hba.conf'), hba);
  if (certificate !== undefined) {
    for (const name of ['cert', 'key'] as const) {
      const file = join(data, `${name}.pem`);
      await writeFile(file, certificate[name], { mode: 0o600 });
      if (programs.user !== undefined) await chown(file, programs.user.uid, programs.user.gid);
    }
  }
  const port = options.port ?? (await unusedPort());
  const server = new Server({ programs, directory, port, options });
  await server.start();
  return server;
}

function sourceOf(
  { copyOf, initdb }: ServerOptions,
  programs: PostgresPrograms,
): Promise<string> | string {
  if (copyOf !== undefined) return join(copyOf.directory, 'data');
  if (initdb === 'own') return initialiseOnce(programs);
  unused ??= initialiseOnce(programs);
  return unused;
}

/** A database cluster that no server has used. Every server of this process gets a copy. */
let unused: Promise<string> | undefined;

/** Creates the cluster to copy. `initdb` takes a second of processor time, and a copy a tenth of that. */
async function initialiseOnce(programs: PostgresPrograms): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-pg-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  if (programs.user !== undefined) await chown(directory, programs.user.uid, programs.user.gid);
  const data = join(directory, 'data');
  const locale = ['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  const args = ['-D', data, '-U', user, '-A', 'trust', ...locale];
  await run(programs.initdb, args, programs.user);
  return data;
}

async function run(
  program: string,
  args: readonly string[],
  as?: PostgresPrograms['user'],
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...as });
  const closed = once(child, 'close', { withinMs: processMsMax });
  const [output, [code]] = await Promise.all([text(child.stderr), closed]);
  if (code !== 0) throw new Error(`${program} failed: ${output}`);
}

class Server implements PostgresServer {
  readonly port: number;
  readonly directory: string;
  readonly #programs: PostgresPrograms;
  readonly #options: ServerOptions;
  #child: Child | undefined;
  #frozen: readonly number[] = [];
  #schemas = 0;

  constructor(own: {
    readonly programs: PostgresPrograms;
    readonly directory: string;
    readonly port: number;
    readonly options: ServerOptions;
  }) {
    this.port = own.port;
    this.directory = own.directory;
    this.#programs = own.programs;
    this.#options = own.options;
  }

  url(schema: string, parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({ schema, ...parameters });
    return `postgres://${user}@127.0.0.1:${this.port}/${database}?${query.toString()}`;
  }

  unusedSchema(): string {
    this.#schemas += 1;
    return `s${this.#schemas}`;
  }

  async start(): Promise<void> {
    const { isDurable = false, settings = {}, certificate } = this.#options;
    const all = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.directory,
      // A suite opens many stores at once.
      max_connections: '200',
      ...(isDurable ? {} : { fsync: 'off' }),
      ...(certificate === undefined
        ? {}
        : { ssl: 'on', ssl_cert_file: 'cert.pem', ssl_key_file: 'key.pem' }),
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const data = join(this.directory, 'data');
    this.#child = await startServer(this.#programs, ['-D', data, ...args]);
  }

  async kill(): Promise<void> {
    // The process of a session would answer until it notices that its parent has ended.
    if (process.platform === 'linux' && this.#child !== undefined) {
      await this.freeze();
      for (const one of this.#frozen) signal(one, 'SIGKILL');
      this.#frozen = [];
    }
    await this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  async freeze(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the server is not running');
    // A process that was started in between is stopped by the second round.
    for (let round = 0; round < 2; round += 1) {
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
      this.#frozen = [pid, ...children.split(' ').filter(Boolean).map(Number)];
      for (const one of this.#frozen) signal(one, 'SIGSTOP');
    }
  }

  thaw(): void {
    for (const one of this.#frozen) signal(one, 'SIGCONT');
    this.#frozen = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    // Nothing of the server is used again, so it need not write its memory to the disk.
    await this.#end('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }

  async #end(how: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(how);
    await ended;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Resolves when the server accepts connections. */
async function startServer(programs: PostgresPrograms, args: readonly string[]): Promise<Child> {
  // The server must not outlive a test that is killed. It is a child of this process, because another
  // parent may not reap it, and then it cannot be started again.
  const dying = ['--pdeathsig', 'KILL', programs.postgres, ...args];
  const child =
    process.platform === 'linux'
      ? spawn('setpriv', [...asUser(programs), ...dying], { stdio: ['ignore', 'ignore', 'pipe'] })
      : spawn(programs.postgres, args, { stdio: ['ignore', 'ignore', 'pipe'], ...programs.user });
  const lines: string[] = [];
  const ready = deferred<void>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (/ready to accept (?:read-only )?connections/.test(line)) ready.resolve();
  });
  child.once('exit', () =>
    ready.reject(new Error(`the server did not start: ${lines.join('\n')}`)),
  );
  await ready.promise;
  return child;
}

function asUser({ user: own }: PostgresPrograms): readonly string[] {
  if (own === undefined) return [];
  return [`--reuid=${own.uid}`, `--regid=${own.gid}`, '--clear-groups'];
}
