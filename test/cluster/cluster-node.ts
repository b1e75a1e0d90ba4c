import type { ClusterDatabase } from './database/cluster-database.ts';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { startPizarra, type RunningService } from '../support/program/program.ts';
import { DatabaseProxy } from './database/database-proxy.ts';
import { MachineClock } from './machine-clock.ts';

export type NodeRole = 'all' | 'write' | 'serve';

/** One machine that runs the program, with its own network to the database. */
export class ClusterNode implements AsyncDisposable {
  readonly name: string;
  readonly role: NodeRole;
  readonly proxies: readonly DatabaseProxy[];
  /** The wall clock of the machine. */
  readonly clock: MachineClock;
  readonly #args: readonly string[];
  #service: RunningService | undefined;
  #child: ChildProcess | undefined;
  #isFrozen = false;
  /** Rises with each start. */
  starts = 0;
  /** Whether the test lets it refuse requests. */
  mayRefuse = false;

  private constructor(own: {
    readonly name: string;
    readonly role: NodeRole;
    readonly proxies: readonly DatabaseProxy[];
    readonly clock: MachineClock;
    readonly args: readonly string[];
  }) {
    this.name = own.name;
    this.clock = own.clock;
    this.role = own.role;
    this.proxies = own.proxies;
    this.#args = own.args;
  }

  /** Prepares a node. {@link start} starts its program. */
  static async make(own: {
    readonly name: string;
    readonly role: NodeRole;
    readonly database: ClusterDatabase;
    readonly args: readonly string[];
    /** A directory for what the test keeps of the machine. */
    readonly directory: string;
  }): Promise<ClusterNode> {
    const { database, role, name, directory } = own;
    const proxies = await Promise.all(database.ports.map((port) => DatabaseProxy.start(port)));
    const store = database.url(proxies.map(({ port }) => port));
    return new ClusterNode({
      name,
      role,
      proxies,
      clock: await MachineClock.make(join(directory, `${name} clock`)),
      args: [...own.args, '--store', store, '--role', role],
    });
  }

  /** The URLs of the running program; undefined while it does not run. */
  get url(): string | undefined {
    return this.#service?.url;
  }

  get privateUrl(): string | undefined {
    return this.#service?.privateUrl;
  }

  get isRunning(): boolean {
    return this.#service !== undefined;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get log(): string {
    return this.#service?.stderr() ?? '';
  }

  /** @param more further arguments of this start. */
  async start(more: readonly string[] = []): Promise<void> {
    const env = this.clock.environment;
    const onSpawn = (child: ChildProcess): void => {
      this.#child = child;
    };
    this.#service = await startPizarra([...this.#args, ...more], onSpawn, { env });
    this.starts += 1;
  }

  async kill(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    this.thaw();
    await service?.stop('SIGKILL');
  }

  /** Stops the program as an operator does. */
  async stop(): Promise<number | null | undefined> {
    const service = this.#service;
    const code = await service?.stop('SIGTERM');
    this.#service = undefined;
    return code;
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child?.kill('SIGCONT');
  }

  /** Loses what is sent between the node and the database, without a reset. */
  cut(how: Parameters<DatabaseProxy['cut']>[0]): void {
    for (const proxy of this.proxies) proxy.cut(how);
  }

  heal(): void {
    for (const proxy of this.proxies) proxy.heal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    for (const proxy of this.proxies) await proxy[Symbol.asyncDispose]();
  }
}
