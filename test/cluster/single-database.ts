import { startPostgres } from '../support/postgres-server.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import type { ClusterDatabase } from './cluster-node.ts';

/** One PostgreSQL server, whose commits survive its crash. */
export class SingleDatabase implements ClusterDatabase {
  readonly ports: readonly number[];
  readonly server: PostgresServer;

  private constructor(server: PostgresServer) {
    this.server = server;
    this.ports = [server.port];
  }

  static async start(): Promise<SingleDatabase> {
    return new SingleDatabase(await startPostgres({ isDurable: true }));
  }

  url(ports: readonly number[]): string {
    const url = new URL(this.server.url('pizarra'));
    url.port = String(ports[0]);
    return url.href;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
