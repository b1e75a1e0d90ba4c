import { Client } from 'pg';

import type { PostgresServer } from './postgres-server.ts';

/** Runs statements as the administrator of a server. Returns the rows of the last one. */
export async function onServer(
  { port }: Pick<PostgresServer, 'port'>,
  text: string,
): Promise<readonly (readonly unknown[])[]> {
  const client = new Client({ host: '127.0.0.1', port, user: 'pizarra', database: 'postgres' });
  await client.connect();
  try {
    const result = await client.query({ text, rowMode: 'array' });
    const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result;
    return last.rows;
  } finally {
    await client.end();
  }
}
