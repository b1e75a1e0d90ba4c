import type { AddressInfo } from 'node:net';

import type { FastifyInstance, FastifyListenOptions } from 'fastify';

/** Where a server listens. */
export interface ListeningAt {
  readonly host: string;
  /** The real one where 0 was asked for. */
  readonly port: number;
}

/**
 * Maximum number of connections that wait to be accepted. Beyond it the system ignores new ones for a
 * second or more. The system may have a lower limit (net.core.somaxconn on Linux).
 */
const backlog = 4_096;

/** Begins to listen, and says where. Rejects with the system's own error. */
export async function listenAt(
  app: FastifyInstance,
  at: FastifyListenOptions,
): Promise<ListeningAt> {
  await app.listen({ backlog, ...at });
  const { address, port } = app.server.address() as AddressInfo;
  return { host: address, port };
}
