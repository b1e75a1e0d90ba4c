import { isIP } from 'node:net';

import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import { listOf, type HeaderFields } from '../handler/request.ts';

/** What a proxy reports about the client of a request. */
interface Forwarded {
  /** The addresses that the request came over before the proxy's own, the nearest last. */
  readonly addresses: readonly string[];
  /** The protocol that the client used, where it is reported. */
  readonly protocol: string | undefined;
}

/**
 * Reads the fields of a trusted proxy.
 *
 * A proxy sets `Forwarded` (RFC 7239) or the older `X-Forwarded-For`, and passes on the other one as
 * the client sent it. Where both are present and name different clients, neither is trusted: the proxy
 * counts as the client. Whatever is to the left of an entry that is no address is not trusted either.
 */
export function readForwarded(headers: HeaderFields): Forwarded {
  const standard = readHops(listOf(headers['forwarded']));
  const older = listOf(headers['x-forwarded-for'])?.split(',');
  const addresses = trustedPart(standard?.map(({ address }) => address) ?? older);
  if (standard !== undefined && older !== undefined) {
    const agrees = trustedPart(older).join() === addresses.join();
    if (!agrees) return { addresses: [], protocol: undefined };
  }
  const olderProtocol = listOf(headers['x-forwarded-proto'])?.split(',').at(-1)?.trim();
  // It is unknown which of the two the proxy has set. If both are present, the older one applies.
  const standardProtocol = older === undefined ? standard?.at(-1)?.protocol : undefined;
  return { addresses, protocol: standardProtocol ?? olderProtocol };
}

/**
 * The address of the client: the nearest address of the chain that is not one of the operator's own
 * proxies.
 *
 * @param connected the address at the other end of the connection.
 */
export function clientAddress(
  connected: string,
  { addresses }: Forwarded,
  proxies: AddressRanges,
): string {
  const chain = [...addresses, connected];
  return chain.findLast((address) => !proxies.has(address)) ?? chain[0] ?? connected;
}

interface Hop {
  readonly address: string;
  readonly protocol: string | undefined;
}

const forwardedPair = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*$/;

/** The hops of a `Forwarded` field, the nearest last; undefined where the field is absent. */
function readHops(field: string | undefined): readonly Hop[] | undefined {
  return field?.split(',').map((element) => {
    const pairs = new Map<string, string>();
    for (const pair of element.split(';')) {
      const [, name = '', quoted, token] = forwardedPair.exec(pair) ?? [];
      pairs.set(name.toLowerCase(), quoted ?? token ?? '');
    }
    return { address: pairs.get('for') ?? '', protocol: pairs.get('proto')?.toLowerCase() };
  });
}

/** The addresses at the end of a chain, back to the first entry that is no address. */
function trustedPart(chain: readonly string[] | undefined): readonly string[] {
  const addresses = (chain ?? []).map(bareAddress);
  return addresses.slice(addresses.findLastIndex((one) => isIP(one) === 0) + 1);
}

/** An address without the port and the brackets that some proxies add. */
function bareAddress(text: string): string {
  const trimmed = text.trim();
  return (
    /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(trimmed)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ??
    trimmed
  );
}
