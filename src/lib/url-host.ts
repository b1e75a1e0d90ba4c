/** An address as a URL has its host: IPv6 in brackets (RFC 3986 3.2.2). */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
