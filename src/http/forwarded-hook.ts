import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

import type { onRequestHookHandler } from 'fastify';

import type { AddressRanges } from '../lib/address-ranges.ts';

/** What a proxy says about the client of a request. */
interface ProxyWord {
  /** The addresses that the request came over before the proxy's own, the nearest last. */
  readonly addresses: readonly string[];
  /** What the client spoke, where that is told. */
  readonly protocol: string | undefined;
}

/**
 * Reads what a proxy says, once it is trusted.
 *
 * A proxy sets `Forwarded` (RFC 7239) or the older headers, and passes the other on as the client
 * made it up. Where both are there and name different clients, neither can be believed: then the
 * proxy stands for its client. What follows to the left of something that is no address cannot be
 * believed either.
 */
export function wordOfProxy(headers: IncomingHttpHeaders): ProxyWord {
  const standard = readForwarded(joined(headers.forwarded));
  const older = joined(headers['x-forwarded-for'])?.split(',');
  const addresses = believable(standard?.map(({ address }) => address) ?? older);
  if (standard !== undefined && older !== undefined) {
    const agrees = believable(older).join() === addresses.join();
    if (!agrees) return { addresses: [], protocol: undefined };
  }
  const olderProtocol = joined(headers['x-forwarded-proto'])?.split(',').at(-1)?.trim();
  // Which of the two is the proxy's own cannot be told; where both are there, the older rules.
  const standardProtocol = older === undefined ? standard?.at(-1)?.protocol : undefined;
  return { addresses, protocol: standardProtocol ?? olderProtocol };
}

/**
 * Whose a request is: the nearest of all it came over that is not one of the operator's own proxies.
 *
 * @param connected the address at the other end of the connection.
 */
export function clientAddress(
  connected: string,
  { addresses }: ProxyWord,
  proxies: AddressRanges,
): string {
  const chain = [...addresses, connected];
  return chain.findLast((address) => !proxies.has(address)) ?? chain[0] ?? connected;
}

/** Brings what proxies say into the one form that the framework reads, once it trusts the proxy. */
export const forwardedHook: onRequestHookHandler = (request, _reply, done) => {
  const { headers } = request.raw;
  const { addresses, protocol } = wordOfProxy(headers);
  if (addresses.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = addresses.join(', ');
  if (protocol === undefined) delete headers['x-forwarded-proto'];
  else headers['x-forwarded-proto'] = protocol;
  done();
};

interface Hop {
  readonly address: string;
  readonly protocol: string | undefined;
}

const forwardedPair = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*$/;

/** The hops of a `Forwarded` header, the last one nearest; undefined where there is none. */
function readForwarded(header: string | undefined): readonly Hop[] | undefined {
  return header?.split(',').map((element) => {
    const pairs = new Map<string, string>();
    for (const pair of element.split(';')) {
      const [, name = '', quoted, token] = forwardedPair.exec(pair) ?? [];
      pairs.set(name.toLowerCase(), quoted ?? token ?? '');
    }
    return { address: pairs.get('for') ?? '', protocol: pairs.get('proto')?.toLowerCase() };
  });
}

/** The addresses at the end of a chain, up to the first thing from there that is none. */
function believable(chain: readonly string[] | undefined): readonly string[] {
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

function joined(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}
