import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import type { Duplex } from 'node:stream';

import type { AddressRanges } from '../../../lib/network/address-ranges.ts';
import type { Peer } from '../../handler/request.ts';
import type { Certificate } from './certificate.ts';

/** How a listener is reached. */
export interface Transport {
  /** With a certificate, TLS is used, and HTTP/2 for clients that offer it; without, plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies?: AddressRanges | undefined;
  /** The addresses that may use plain HTTP; absent for all. TLS is not affected. */
  readonly plainPeers?: AddressRanges | undefined;
  readonly connectionObserver?: ConnectionObserver | undefined;
}

/** Why a connection was closed at once. */
type ConnectionRefusal = 'address' | 'total';

/** Receives what happens to connections. */
export interface ConnectionObserver {
  connectionRefused(reason: ConnectionRefusal): void;
  /** A client left a response unread for too long. */
  readerCut(): void;
  /** Connections were opened or closed. */
  connectionsChanged?(open: number): void;
}

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

const peers = new WeakMap<Duplex, Peer>();

/** The client's end of a connection: the same object for all its requests. */
export function peerOf(socket: Duplex): Peer {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const { remoteAddress = '', encrypted = false } = socket as Partial<{
    readonly remoteAddress: string;
    readonly encrypted: boolean;
  }>;
  const peer = { address: remoteAddress, isEncrypted: encrypted };
  peers.set(socket, peer);
  return peer;
}

/** Limits of connections: their number, their times, and the work that their requests cause. */
export interface CarrierLimits {
  /**
   * Maximum length of a request line (method, target, version), in bytes. Longer ones get 414. Node's parser reports
   * them as too large heads.
   */
  readonly requestLineBytesMax: number;
  /**
   * Maximum length of the target and of all header names and values, in bytes, without separators. Longer heads get
   * 431, and the connection closes.
   */
  readonly requestHeadBytesMax: number;
  /**
   * Maximum time from the first byte of a request to the end of its headers, and from the connection
   * to the first byte, in milliseconds. Then the client gets 408, and the connection closes.
   */
  readonly headersTimeoutMs: number;
  /** Maximum time from the first byte to the end of a request, in milliseconds. Then it gets 408. */
  readonly requestTimeoutMs: number;
  /** Maximum time that a connection waits for its next request, in milliseconds. Then it closes. */
  readonly keepAliveTimeoutMs: number;
  /**
   * Maximum time for which no byte of a pending response is read, in milliseconds. Then the connection
   * closes.
   */
  readonly stalledSocketMs: number;
  /** Maximum time for a client to read a pending response, in milliseconds. Then its connection closes. */
  readonly responseTimeoutMs: number;
  /**
   * Maximum number of connections of one address, or of one IPv6 network of 64 bits. Further ones are
   * closed at once.
   */
  readonly connectionsPerAddressMax: number;
  /** Maximum number of connections. Further ones are closed at once. */
  readonly connectionsMax: number;
  /**
   * Maximum time that requests take in one turn of the event loop, in milliseconds. Further requests
   * wait, and clients take turns. A turn accepts one connection, so new connections wait this long.
   */
  readonly turnBudgetMs: number;
  /** Maximum time that a request waits for its turn, in milliseconds. Then it gets 503. */
  readonly queueWaitMsMax: number;
  /**
   * Maximum number of requests that wait for their turn. Beyond it, the newest one of the client with the most of them
   * gets 503.
   */
  readonly queuedMax: number;
  /** How often timeouts are checked, in milliseconds. Each may be late by this much. */
  readonly timeoutCheckMs: number;
  /**
   * How long a stop still accepts connections, and how long a connection must be idle before a stop
   * closes it, in milliseconds.
   */
  readonly drainIdleMs: number;
  /** Maximum time for pending responses during a stop, in milliseconds. Then their connections close. */
  readonly drainMs: number;
}
