import { onServer } from '../../support/postgres/on-server.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { ClusterDatabase } from './cluster-database.ts';

/** One PostgreSQL server, whose commits survive its crash. A promoted copy may take its place, at its address. */
export class SingleDatabase implements ClusterDatabase {
  readonly ports: readonly number[];
  server: PostgresServer;

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

  /** Stops the server, and starts a promoted copy of it in its place. Returns the former primary. */
  async failOver(): Promise<PostgresServer> {
    const former = this.server;
    await former.stop();
    this.server = await startPostgres({ isDurable: true, copyOf: former, port: former.port });
    await onServer(this.server, 'SELECT pg_promote()');
    return former;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
