/** An address as the host of a URL. IPv6 addresses are in brackets (RFC 3986 3.2.2). */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * The URL at which a client on the same machine reaches a listener. A listener on all addresses is
 * reached at the loopback address.
 */
export function reachableUrl(listeningAt: string): string {
  return listeningAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
