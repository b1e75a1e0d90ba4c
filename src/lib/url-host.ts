/** An address as a URL has its host: IPv6 in brackets (RFC 3986 3.2.2). */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The URL of a listener as a client on the same machine can use it: loopback for all addresses. */
export function reachableUrl(listeningAt: string): string {
  return listeningAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
