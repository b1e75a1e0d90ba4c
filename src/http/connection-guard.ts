import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { addressGroup } from '../lib/address-group.ts';
import type { HttpLimits } from './http-limits.ts';

/** Why a connection was not taken. */
type ConnectionRefusal = 'address' | 'total';

/** Told of connections that were let go without an answer, for the metrics. */
export interface ConnectionObserver {
  connectionRefused(reason: ConnectionRefusal): void;
  /** A client left an answer unread for too long. */
  readerCut(): void;
}

/** What waits on a connection, and since when. */
interface Backlog {
  readonly since: number;
  /** How much must have been taken for the wait to be over, in bytes since the connection began. */
  readonly until: number;
}

/** How often slow readers are looked for; each is late by at most this. */
const sweepMs = 1_000;

/**
 * Keeps connections from piling up: so many of one address and so many in all, and none whose client
 * does not take what it asked for. All that waits for a client must have been taken within
 * `answerTimeoutMs`, whatever more has come to wait meanwhile; taking a byte now and then does not
 * help. A client that is refused here is told nothing, because telling costs more than it took to
 * ask.
 *
 * Connections of the operator's own proxies are not counted by address: they are everyone's.
 */
export class ConnectionGuard {
  readonly #limits: HttpLimits;
  readonly #observer: ConnectionObserver | undefined;
  readonly #perAddress = new Map<string, number>();
  /** All connections, as bytes come and go. */
  readonly #connections = new Set<Socket>();
  /** Those over which answers are written; with TLS, above the ones that are counted. */
  readonly #readers = new Set<Socket>();
  readonly #backlogs = new WeakMap<Socket, Backlog>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    server: Server,
    {
      limits,
      isTls,
      isTrusted,
      observer,
    }: {
      readonly limits: HttpLimits;
      readonly isTls: boolean;
      /** Whether an address is one of the operator's own proxies. */
      readonly isTrusted: (address: string) => boolean;
      readonly observer?: ConnectionObserver | undefined;
    },
  ) {
    this.#limits = limits;
    this.#observer = observer;
    server.maxConnections = limits.connectionsMax;
    server.on('drop', () => observer?.connectionRefused('total'));
    // Before whoever reads from it.
    server.prependListener('connection', (socket: Socket) => {
      this.#take(socket, isTrusted(socket.remoteAddress ?? ''));
      if (!isTls) this.#watch(socket);
    });
    if (isTls) server.on('secureConnection', (socket: Socket) => this.#watch(socket));
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(sweepMs, limits.answerTimeoutMs / 4));
    this.#sweeper.unref();
  }

  /** Looks for slow readers no longer: the end is near for everyone. */
  close(): void {
    clearInterval(this.#sweeper);
  }

  /** Lets go of every connection, whatever is under way. */
  destroyAll(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  #take(socket: Socket, isOneForMany: boolean): void {
    const group = addressGroup(socket.remoteAddress ?? '');
    const open = this.#perAddress.get(group) ?? 0;
    if (!isOneForMany && open >= this.#limits.connectionsPerAddressMax) {
      socket.destroy();
      this.#observer?.connectionRefused('address');
      return;
    }
    this.#connections.add(socket);
    this.#perAddress.set(group, open + 1);
    socket.on('close', () => {
      this.#connections.delete(socket);
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
    const now = performance.now();
    for (const socket of this.#readers) {
      if (socket.writableLength === 0) {
        this.#backlogs.delete(socket);
        continue;
      }
      const backlog = this.#backlogs.get(socket);
      const taken = socket.bytesWritten - socket.writableLength;
      if (backlog === undefined || taken >= backlog.until) {
        this.#backlogs.set(socket, { since: now, until: socket.bytesWritten });
      } else if (now - backlog.since > this.#limits.answerTimeoutMs) {
        socket.destroy();
        this.#observer?.readerCut();
      }
    }
  }
}
