import { dirname, join } from 'node:path';

/** The names of the users that Patroni uses. All connections come from this machine, without a password. */
export const superuser = 'postgres';

/** What one member of a Patroni cluster is configured with. */
export interface Member {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly restPort: number;
}

/**
 * The configuration of one member, as YAML (JSON is YAML), with the settings that docs/scaling.md recommends.
 * A commit waits for a synchronous stand-by, so an acknowledged update survives the loss of the primary.
 * `ttl` is the smallest that Patroni permits.
 */
export function patroniConfig(
  member: Member,
  { etcdPort, initdb }: { readonly etcdPort: number; readonly initdb: string },
): string {
  const { name, directory, port, restPort } = member;
  const users = ['replication', 'superuser', 'rewind'].map((use) => [use, { username: superuser }]);
  return JSON.stringify({
    scope: 'pizarra',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 3,
        retry_timeout: 5,
        primary_start_timeout: 0,
        master_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 60,
            wal_log_hints: 'on',
            shared_buffers: '32MB',
            wal_keep_size: '64MB',
            synchronous_commit: 'on',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(directory, 'data'),
      bin_dir: dirname(initdb),
      pgpass: join(directory, 'pgpass'),
      authentication: Object.fromEntries(users) as Record<string, unknown>,
      parameters: { unix_socket_directories: directory },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
  });
}
