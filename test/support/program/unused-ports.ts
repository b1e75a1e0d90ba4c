import { createServer, type AddressInfo } from 'node:net';

import { once } from '../wait.ts';

/** Ports of 127.0.0.1 on which nothing listens now. */
export async function unusedPorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

/** A port of 127.0.0.1 on which nothing listens now, for a program that cannot choose one itself. */
export async function unusedPort(): Promise<number> {
  const [port = 0] = await unusedPorts(1);
  return port;
}
