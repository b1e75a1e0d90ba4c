import type { Duplex } from 'node:stream';

import type { Peer } from '../../handler/request.ts';

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
