import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import type { Clock } from '../../lib/time/clock.ts';
import type { RequestHandler } from '../handler/request-handler.ts';
import type { StopPhase } from '../handler/stop-phase.ts';
import {
  type CarrierLimits,
  listenAt,
  type ListeningAt,
  type Transport,
} from './connection/transport.ts';
import { secureContextOptions } from './connection/certificate.ts';
import { ConnectionGuard } from './connection/connection-guard.ts';
import { RequestQueue, queueTools } from './connection/request-queue.ts';
import { Http1Carrier } from './node/http1-carrier.ts';
import { Http2Carrier } from './node/http2-carrier.ts';
import { SocketCarrier } from './socket/socket-carrier.ts';
import { ListenerStop, type MeetAt } from './stop/listener-stop.ts';

/** An open port. Stopping it is described at {@link ListenerStop}. */
export interface Listener {
  /** @throws the system's own error, with its `code`. */
  listen(at: ListeningAt & { readonly reusePort?: boolean }): Promise<ListeningAt>;
  /** Takes the first step of a stop. */
  drain(): void;
  /** Stops, and resolves when no connection is open. */
  stop(): Promise<void>;
}

/**
 * Opens the carriers of a listener and decides which one reads from a connection: HTTP/2 where the
 * client chose it, else the socket carrier as long as it can, else Node's HTTP/1.1 server.
 */
export function createListener({
  limits,
  clock,
  phase,
  handler,
  transport: { certificate, proxies, connectionObserver } = {},
  isForMany,
  meetAt,
}: {
  readonly limits: CarrierLimits;
  readonly clock: Clock;
  readonly phase: StopPhase;
  /** The handler in force. */
  readonly handler: () => RequestHandler;
  readonly transport?: Transport | undefined;
  /**
   * Whether many clients poll it: then requests wait for their turn when there are too many.
   */
  readonly isForMany: boolean;
  /** Absent if only this process listens on the port. */
  readonly meetAt?: MeetAt | undefined;
}): Listener {
  const isTls = certificate !== undefined;
  const queue = isForMany ? new RequestQueue(limits, queueTools(clock)) : undefined;
  const parts = { limits, clock, phase, handler, queue };
  const http1 = new Http1Carrier(parts, certificate);
  const http2 = isTls ? new Http2Carrier(parts) : undefined;
  const isProxy = (address: string): boolean => proxies?.has(address) ?? false;
  const plain = new SocketCarrier({
    ...parts,
    isProxy,
    handOver: (socket) => http1.take(socket),
    refuse: (socket, error) => http1.errors.refuse(socket, error),
  });
  const { server } = http1;
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket | TLSSocket) => {
    const isHttp2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
    if (isHttp2) http2?.take(socket);
    else plain.take(socket);
  });
  const following = certificate?.subscribe((pair) =>
    (server as HttpsServer).setSecureContext(secureContextOptions(pair)),
  );
  const guard = new ConnectionGuard(server, {
    limits,
    clock,
    isTls,
    isTrusted: isProxy,
    observer: connectionObserver,
  });
  const stop = new ListenerStop(server, {
    limits,
    clock,
    phase,
    meetAt,
    parts: {
      hold: () => queue?.hold(),
      release: () => queue?.release(),
      hasWaiting: () => queue !== undefined && queue.size > 0,
      drain: () => {
        guard.close();
        http2?.drain();
      },
      closeIdle: () => {
        plain.closeIdle();
        http2?.close();
      },
      destroyAll: () => guard.destroyAll(),
    },
  });
  return {
    listen: (at) => listenAt(server, at),
    drain: () => stop.drain(),
    stop: async () => {
      following?.[Symbol.dispose]();
      await stop.stop();
      http2?.[Symbol.dispose]();
    },
  };
}
