import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { addressGroup } from '../../../lib/network/address-group.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { CarrierLimits, ConnectionObserver } from './transport.ts';

/** The unread bytes of a connection. */
interface Backlog {
  readonly since: number;
  /** The number of bytes, since the connection began, after which they have been read. */
  readonly until: number;
}

/** How often slow readers are looked for, in milliseconds. Each is closed late by at most this. */
const sweepMs = 1_000;

/**
 * Limits connections: how many one address has, how many there are, and how long a client may take to
 * read. All bytes that are pending for a client must be read within `responseTimeoutMs`, whatever is
 * added meanwhile: reading a byte now and then is not enough. A connection over a limit is closed
 * without a response, because a response would cost more than the connection.
 *
 * Connections of the operator's own proxies are not counted by address, because they carry the
 * requests of many clients.
 */
export class ConnectionGuard {
  readonly #limits: CarrierLimits;
  readonly #clock: Clock;
  readonly #observer: ConnectionObserver | undefined;
  readonly #perAddress = new Map<string, number>();
  /** All TCP connections. */
  readonly #connections = new Set<Socket>();
  /** The sockets that responses are written to. With TLS they are above the TCP connections. */
  readonly #readers = new Set<Socket>();
  readonly #backlogs = new WeakMap<Socket, Backlog>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    server: Server,
    {
      limits,
      clock,
      isTls,
      isTrusted,
      observer,
    }: {
      readonly limits: CarrierLimits;
      readonly clock: Clock;
      readonly isTls: boolean;
      /** Whether an address is one of the operator's own proxies. */
      readonly isTrusted: (address: string) => boolean;
      readonly observer?: ConnectionObserver | undefined;
    },
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#observer = observer;
    server.maxConnections = limits.connectionsMax;
    server.on('drop', () => observer?.connectionRefused('total'));
    // Before any other listener reads from the connection.
    server.prependListener('connection', (socket: Socket) => {
      this.#take(socket, isTrusted(socket.remoteAddress ?? ''));
      if (!isTls) this.#watch(socket);
    });
    if (isTls) server.on('secureConnection', (socket: Socket) => this.#watch(socket));
    this.#sweeper = setInterval(
      () => this.#sweep(),
      Math.min(sweepMs, limits.responseTimeoutMs / 4),
    );
    this.#sweeper.unref();
  }

  /** Stops looking for slow readers: during a stop every connection closes soon. */
  close(): void {
    clearInterval(this.#sweeper);
  }

  /** Closes every connection, whatever is under way. */
  destroyAll(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  #take(socket: Socket, isProxy: boolean): void {
    const group = addressGroup(socket.remoteAddress ?? '');
    const open = this.#perAddress.get(group) ?? 0;
    if (!isProxy && open >= this.#limits.connectionsPerAddressMax) {
      socket.destroy();
      this.#observer?.connectionRefused('address');
      return;
    }
    this.#connections.add(socket);
    this.#observer?.connectionsChanged?.(this.#connections.size);
    this.#perAddress.set(group, open + 1);
    socket.on('close', () => {
      this.#connections.delete(socket);
      this.#observer?.connectionsChanged?.(this.#connections.size);
      const others = (this.#perAddress.get(group) ?? 1) - 1;
      if (others === 0) this.#perAddress.delete(group);
      else this.#perAddress.set(group, others);
    });
  }

  #watch(socket: Socket): void {
    this.#readers.add(socket);
    socket.on('close', () => this.#readers.delete(socket));
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const socket of this.#readers) {
      if (socket.writableLength === 0) {
        this.#backlogs.delete(socket);
        continue;
      }
      const backlog = this.#backlogs.get(socket);
      const taken = socket.bytesWritten - socket.writableLength;
      if (backlog === undefined || taken >= backlog.until) {
        this.#backlogs.set(socket, { since: now, until: socket.bytesWritten });
      } else if (now - backlog.since > this.#limits.responseTimeoutMs) {
        socket.destroy();
        this.#observer?.readerCut();
      }
    }
  }
}
