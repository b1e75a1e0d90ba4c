import { LRUCache } from 'lru-cache';

import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import { Fields } from '../handler/fields.ts';
import { singleOf, type Request } from '../handler/request.ts';
import type { Surroundings } from '../handler/visit.ts';
import { corsFields } from './cors.ts';
import { clientAddress, readForwarded } from './forwarded.ts';

/** For a year, a browser that received this connects over TLS only (RFC 6797). */
export const transportSecurity = Fields.of({ 'strict-transport-security': 'max-age=31536000' });

/** Addresses of which it is remembered whether they are proxies. To look one up costs 1 µs. */
const rememberedAddressesMax = 4_096;

/**
 * Reads who sent a request and what every response to it says:
 *
 * - `Strict-Transport-Security` over TLS, also where a trusted proxy terminates it. Over plain HTTP it
 *   would have no effect (RFC 6797 7.2).
 * - the CORS fields, if the request's origin is allowed.
 */
export function readSurroundings({
  proxies,
  corsOrigins,
}: {
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies: AddressRanges | undefined;
  readonly corsOrigins: ReadonlySet<string>;
}): (request: Request) => Surroundings {
  const trusted = proxies === undefined ? undefined : remembered(proxies);
  const none: readonly Fields[] = [];
  return ({ peer, headers }) => {
    let remote = peer.address;
    let isEncrypted = peer.isEncrypted;
    if (trusted?.has(peer.address) === true) {
      const forwarded = readForwarded(headers);
      remote = clientAddress(peer.address, forwarded, trusted);
      isEncrypted ||= forwarded.protocol === 'https';
    }
    const origin = corsOrigins.size === 0 ? undefined : singleOf(headers['origin']);
    const cors = origin === undefined ? undefined : corsFields(corsOrigins, origin);
    if (!isEncrypted && cors === undefined) return { remote, fields: none };
    const fields: Fields[] = [];
    if (isEncrypted) fields.push(transportSecurity);
    if (cors !== undefined) fields.push(cors);
    return { remote, fields };
  };
}

function remembered(ranges: AddressRanges): AddressRanges {
  const known = new LRUCache<string, boolean>({ max: rememberedAddressesMax });
  return {
    has: (address) => {
      const held = known.get(address);
      if (held !== undefined) return held;
      const isMember = ranges.has(address);
      known.set(address, isMember);
      return isMember;
    },
  };
}
