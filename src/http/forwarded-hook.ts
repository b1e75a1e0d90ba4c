import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

import type { onRequestHookHandler } from 'fastify';

/**
 * Brings what proxies say about a client into the one form that the framework reads, once it trusts
 * the proxy: `X-Forwarded-For` with bare addresses, and `X-Forwarded-Proto`.
 *
 * A proxy sets `Forwarded` (RFC 7239) or the older headers, and passes the other on as the client
 * made it up. Where both are there and name different clients, neither can be believed: then the
 * proxy stands for its client. What follows to the left of something that is no address cannot be
 * believed either.
 */
export const forwardedHook: onRequestHookHandler = (request, _reply, done) => {
  const { headers } = request.raw;
  const standard = readForwarded(joined(headers.forwarded));
  const older = joined(headers['x-forwarded-for']);
  const chain = believable(standard?.map(({ address }) => address) ?? older?.split(','));
  const other = standard === undefined ? undefined : older;
  if (other !== undefined && believable(other.split(','))?.join() !== chain?.join()) {
    forget(headers);
  } else if (chain === undefined) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = chain.join(', ');
  const protocol = standard?.at(-1)?.protocol;
  if (protocol !== undefined && other === undefined) headers['x-forwarded-proto'] = protocol;
  done();
};

function forget(headers: IncomingHttpHeaders): void {
  delete headers['x-forwarded-for'];
  delete headers['x-forwarded-proto'];
}

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
function believable(chain: readonly string[] | undefined): readonly string[] | undefined {
  if (chain === undefined) return undefined;
  const addresses = chain.map(bareAddress);
  const known = addresses.slice(addresses.findLastIndex((one) => isIP(one) === 0) + 1);
  return known.length === 0 ? undefined : known;
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
