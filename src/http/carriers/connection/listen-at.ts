import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

/** Where a server listens. */
export interface ListeningAt {
  readonly host: string;
  /** The actual port where 0 was requested. */
  readonly port: number;
}

/**
 * Maximum number of connections that wait to be accepted. Beyond it the system ignores new ones for a
 * second or more. The system may have a lower limit (net.core.somaxconn on Linux).
 */
const backlog = 4_096;

/** Begins to listen. Rejects with the system's own error. */
export async function listenAt(server: Server, at: ListenOptions): Promise<ListeningAt> {
  server.listen({ backlog, ...at });
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port };
}
