import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { once } from '../wait.ts';

/** A TCP proxy that fails on demand, as the network between a client and a service does. */
export interface LineProxy extends AsyncDisposable {
  readonly port: number;
  /** Number of connections so far. */
  readonly connections: number;
  /** Number of pieces that the service has sent. */
  readonly pieces: number;
  /** Breaks every open connection. */
  cut(): void;
  /** From now on the open connections transport nothing, without being closed. */
  hold(): void;
  /** New connections go to another port. */
  moveTo(port: number): void;
}

/** Starts a proxy to a port of this machine. */
export async function startLineProxy(target: number): Promise<LineProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const state = { connections: 0, pieces: 0, target };
  const server = createServer((client) => {
    state.connections += 1;
    const service = connect(state.target, '127.0.0.1');
    const pair = [client, service] as const;
    pairs.add(pair);
    const close = (): void => {
      pairs.delete(pair);
      client.destroy();
      service.destroy();
    };
    for (const socket of pair) socket.on('error', close).on('close', close);
    service.on('data', () => {
      state.pieces += 1;
    });
    client.pipe(service).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void =>
    pairs.forEach(([client, service]) => (client.destroy(), service.destroy()));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return state.connections;
    },
    get pieces() {
      return state.pieces;
    },
    cut,
    hold: () => {
      for (const [client, service] of pairs) {
        client.unpipe();
        service.unpipe();
        client.pause();
        service.pause();
      }
    },
    moveTo: (port) => {
      state.target = port;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
