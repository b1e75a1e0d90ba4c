import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PostgresPrograms } from '../../support/postgres/postgres-programs.ts';
import { once, until } from '../../support/wait.ts';
import type { ClusterDatabase } from './cluster-database.ts';
import { patroniConfig, superuser, type Member } from './patroni-config.ts';
import { postgresPrograms, reaped } from './patroni-programs.ts';
import { unusedPorts } from '../../support/program/unused-ports.ts';

const members = 3;
/** A dead machine is replaced within Patroni's `ttl`, and returns as a stand-by some time later. */
const healMsMax = 120_000;

interface Running extends Member {
  child: ChildProcess | undefined;
}

/** What Patroni reports about a member. */
interface State {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** What a primary itself reports about the servers that read its log. */
interface Replication {
  readonly application_name: string;
  readonly state: string;
  readonly sync_state: string;
}

/** Three PostgreSQL servers under Patroni with synchronous replication, and an etcd that never fails. */
export class PatroniDatabase implements ClusterDatabase {
  readonly ports: readonly number[];
  readonly #directory: string;
  readonly #etcd: ChildProcess;
  readonly #members: readonly Running[];
  readonly #programs: PostgresPrograms;
  /** The member that was killed: another one must become the primary. */
  #killed: string | undefined;

  private constructor(own: {
    readonly directory: string;
    readonly etcd: ChildProcess;
    readonly members: readonly Running[];
    readonly programs: PostgresPrograms;
  }) {
    this.#directory = own.directory;
    this.#etcd = own.etcd;
    this.#members = own.members;
    this.#programs = own.programs;
    this.ports = own.members.map(({ port }) => port);
  }

  /** Starts etcd and the servers. Resolves when one is primary and another one its synchronous stand-by. */
  static async start(): Promise<PatroniDatabase> {
    const programs = postgresPrograms();
    const directory = await mkdtemp(join(tmpdir(), 'pizarra-patroni-'));
    const [etcdPort, peerPort, ...ports] = await unusedPorts(2 + 2 * members);
    const running: Running[] = [];
    for (let index = 0; index < members; index += 1) {
      const member = {
        name: `pg${index}`,
        directory: join(directory, `pg${index}`),
        port: ports[2 * index] as number,
        restPort: ports[2 * index + 1] as number,
        child: undefined,
      };
      await mkdir(member.directory);
      const config = patroniConfig(member, { etcdPort: etcdPort as number, ...programs });
      await writeFile(join(member.directory, 'patroni.yml'), config);
      running.push(member);
    }
    const { user } = programs;
    if (user !== undefined) {
      for (const one of [directory, ...running.map((member) => member.directory)]) {
        await chown(one, user.uid, user.gid);
      }
    }
    const etcd = startEtcd(programs, directory, etcdPort as number, peerPort as number);
    const database = new PatroniDatabase({ directory, etcd, members: running, programs });
    for (const member of running) database.#start(member);
    await database.heals();
    return database;
  }

  url(ports: readonly number[]): string {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    return `postgres://${superuser}@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Kills the server of the primary. Patroni on its machine is alive, and gives up its role. */
  async killPrimaryServer(): Promise<void> {
    const primary = await this.#primary();
    const data = join(primary.directory, 'data', 'postmaster.pid');
    const pid = Number((await readFile(data, 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
  }

  /** Kills everything on the machine of the primary. {@link heals} starts it again. */
  async killPrimaryMachine(): Promise<void> {
    const primary = await this.#primary();
    this.#killed = primary.name;
    await killTree(primary.child);
    primary.child = undefined;
  }

  /**
   * Suspends everything on the machine of the primary until another server is the primary, then continues it. Two
   * servers accept writes from then on, until Patroni on that machine notices. Resolves at that moment.
   */
  async freezePrimaryMachine(): Promise<void> {
    const primary = await this.#primary();
    const pid = primary.child?.pid;
    if (pid === undefined) throw new Error('the primary does not run');
    this.#killed = primary.name;
    const suspended = [pid, ...(await descendants(pid))];
    for (const one of suspended) signal(one, 'SIGSTOP');
    try {
      await until(
        'another server is the primary',
        async () => {
          const leader = await this.#leader();
          return leader !== undefined && leader !== this.#killed;
        },
        { withinMs: healMsMax },
      );
    } finally {
      for (const one of suspended) signal(one, 'SIGCONT');
    }
  }

  /** An operator moves the primary to its synchronous stand-by. */
  async switchOver(): Promise<void> {
    const states = await this.#states();
    const leader = states.find(({ role }) => role === 'leader')?.name;
    const candidate = states.find(({ role }) => role === 'sync_standby')?.name;
    const [member] = this.#members;
    const response = await fetch(`http://127.0.0.1:${member?.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    if (!response.ok) throw new Error(`switch-over: ${await response.text()}`);
  }

  /** Starts what was killed. Resolves when there is a primary, and every other server follows it. */
  async heals(): Promise<void> {
    try {
      await until(
        'Patroni has a primary again',
        async () => {
          const leader = await this.#leader();
          return leader !== undefined && leader !== this.#killed;
        },
        { withinMs: healMsMax },
      );
    } catch (cause) {
      const states = JSON.stringify(await this.#states());
      throw new Error(`killed ${this.#killed}, Patroni reports ${states}`, { cause });
    }
    this.#killed = undefined;
    for (const member of this.#members) if (member.child === undefined) this.#start(member);
    await until(
      'all servers are in sync',
      async () => {
        const sync = (await this.#states()).find(({ role }) => role === 'sync_standby');
        const readers = await this.#replication();
        return (
          readers.length === members - 1 &&
          readers.every(({ state }) => state === 'streaming') &&
          readers.some((one) => one.application_name === sync?.name && one.sync_state === 'sync')
        );
      },
      { withinMs: healMsMax },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#members) await killTree(child);
    await killTree(this.#etcd);
    await rm(this.#directory, { recursive: true, force: true });
  }

  #start(member: Running): void {
    const command = reaped(this.#programs, ['patroni', join(member.directory, 'patroni.yml')]);
    member.child = spawn('setpriv', command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.#directory, `${member.name}.log`), { flags: 'a' });
    member.child.stdout?.pipe(log, { end: false });
    member.child.stderr?.pipe(log, { end: false });
  }

  async #primary(): Promise<Running> {
    const name = await until('Patroni has a primary', () => this.#leader());
    const found = this.#members.find((member) => member.name === name);
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  }

  async #leader(): Promise<string | undefined> {
    return (await this.#states()).find(
      ({ role, state }) => role === 'leader' && state === 'running',
    )?.name;
  }

  /**
   * What the primary itself reports. What Patroni has noted may be some seconds old: a primary that is lost
   * just after its promotion, before another server follows it, is not replaced.
   */
  async #replication(): Promise<readonly Replication[]> {
    const leader = await this.#leader();
    const member = this.#members.find(({ name }) => name === leader);
    if (member === undefined) return [];
    try {
      const response = await fetch(`http://127.0.0.1:${member.restPort}/patroni`, {
        signal: AbortSignal.timeout(1_000),
      });
      return (
        ((await response.json()) as { replication?: readonly Replication[] }).replication ?? []
      );
    } catch {
      return [];
    }
  }

  /** What the first member that responds reports; nothing when none does. */
  async #states(): Promise<readonly State[]> {
    for (const { restPort, child } of this.#members) {
      if (child === undefined) continue;
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
          signal: AbortSignal.timeout(1_000),
        });
        const { members: states } = (await response.json()) as { readonly members: State[] };
        return states;
      } catch {
        // It starts, or it was killed.
      }
    }
    return [];
  }
}

function startEtcd(
  programs: PostgresPrograms,
  directory: string,
  port: number,
  peerPort: number,
): ChildProcess {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const flags = {
    'data-dir': join(directory, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  return spawn('setpriv', reaped(programs, ['etcd', ...args]), { stdio: 'ignore' });
}

/** Kills a process and all its descendants, and waits for its end. */
async function killTree(child: ChildProcess | undefined): Promise<void> {
  const pid = child?.pid;
  if (child === undefined || pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  // The root adopts and reaps the others, so it is killed last.
  for (let round = 0; round < 50; round += 1) {
    const below = await descendants(pid);
    if (below.length === 0) break;
    for (const one of below) killIfAlive(one);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  killIfAlive(pid);
  await ended;
}

async function descendants(pid: number): Promise<readonly number[]> {
  let text = '';
  try {
    text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return [];
  }
  const children = text.split(' ').filter(Boolean).map(Number);
  const below = await Promise.all(children.map((child) => descendants(child)));
  return [...children, ...below.flat()];
}

function killIfAlive(pid: number): void {
  signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
