import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import type { Duplex } from 'node:stream';

import type { AddressRanges } from '../../../lib/network/address-ranges.ts';
import type { Certificate } from './certificate.ts';
import type { ConnectionObserver } from './connection-guard.ts';
import type { Peer } from '../../handler/request.ts';

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
