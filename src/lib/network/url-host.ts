import { loopback } from './address-ranges.ts';

/** Whether only this machine reaches a host of a URL or of a setting. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || loopback.has(host.replaceAll(/[[\]]/g, ''));
}

/** An address as the host of a URL. IPv6 addresses are in brackets (RFC 3986 3.2.2). */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The origin of a URL: scheme, host and port. */
interface Origin {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/**
 * The origin at which other machines reach a listener.
 *
 * @param advertised the configured origin; empty for none.
 * @param listening where it listens. If its host stands for all addresses, the name of the machine takes its
 *   place.
 */
export function advertisedOrigin(
  advertised: string,
  { scheme, host, port }: Origin,
  machine: string,
): string {
  if (advertised !== '') return advertised;
  const isForAll = host === '0.0.0.0' || host === '::';
  return `${scheme}://${urlHost(isForAll ? machine : host)}:${port}`;
}

/**
 * The URL at which a client on the same machine reaches a listener. A listener on all addresses is
 * reached at the loopback address.
 */
export function reachableUrl(listeningAt: string): string {
  return listeningAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
