import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Clock } from '../../../lib/time/clock.ts';

/** When a connection last carried a byte, as of the last {@link IdleConnections.look}. */
interface Activity {
  bytes: number;
  since: number;
}

/**
 * Closes the idle connections of a server that stops, and no others.
 *
 * Node's `closeIdleConnections` destroys every connection without a request under way. A request that
 * the client has just sent is lost with it, and so is a response that the client has not read to its
 * end. Once constructed, `closeIdleConnections` of this server leaves out connections that carried a
 * byte within `idleMs`, and closes one with an unread response when its last byte has been sent.
 */
export class IdleConnections {
  readonly #open = new Map<Socket, Activity>();
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #closeIdle: () => void;

  constructor(
    server: Server,
    { idleMs, clock }: { readonly idleMs: number; readonly clock: Clock },
  ) {
    this.#idleMs = idleMs;
    this.#clock = clock;
    const note = (socket: Socket): void => {
      this.#open.set(socket, { bytes: 0, since: clock.monotonic() });
      socket.once('close', () => this.#open.delete(socket));
    };
    server.on('connection', note);
    server.on('secureConnection', note);
    this.#closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => this.close();
  }

  /** Notes which connections have carried bytes since the last look. */
  look(): void {
    const now = this.#clock.monotonic();
    for (const [socket, activity] of this.#open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes === activity.bytes) continue;
      activity.bytes = bytes;
      activity.since = now;
    }
  }

  /** Closes the connections that have been idle for long enough. */
  close(): void {
    this.look();
    const now = this.#clock.monotonic();
    const spared: Socket[] = [];
    for (const [socket, { since }] of this.#open) {
      const isIdle = now - since >= this.#idleMs;
      if (isIdle && socket.bytesRead === 0) socket.destroy();
      if (isIdle && socket.writableLength === 0) continue;
      spared.push(socket);
      // Only Node knows which connections have no request under way. It calls this on those.
      socket.destroy = () => {
        Reflect.deleteProperty(socket, 'destroy');
        if (isIdle) socket.destroySoon();
        return socket;
      };
    }
    this.#closeIdle();
    for (const socket of spared) Reflect.deleteProperty(socket, 'destroy');
  }
}
