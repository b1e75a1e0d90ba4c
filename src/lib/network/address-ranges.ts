import { BlockList, isIP, isIPv4 } from 'node:net';

/** A set of addresses, given as single addresses and ranges (`10.0.0.0/8`, `2001:db8::/32`). */
export interface AddressRanges {
  /** Whether the set contains an address. An IPv4 address may be written as IPv6. */
  has(address: string): boolean;
}

/** Parses addresses and ranges. Undefined when one of the texts is neither. */
export function addressRanges(texts: readonly string[]): AddressRanges | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix, ...more] = text.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const bitsMax = family === 'ipv4' ? 32 : 128;
    const bits = prefix === undefined ? bitsMax : Number(prefix);
    const isBits = prefix === undefined || (/^\d+$/.test(prefix) && bits <= bitsMax);
    if (isIP(address) === 0 || address.includes('%') || !isBits || more.length > 0)
      return undefined;
    list.addSubnet(address, bits, family);
  }
  return rangesOf(list);
}

/** The loopback addresses, which only the machine itself can reach. */
export const loopback: AddressRanges = loopbackRanges();

function loopbackRanges(): AddressRanges {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8, 'ipv4');
  list.addAddress('::1', 'ipv6');
  return rangesOf(list);
}

/** A text that is not an address is in no list. */
function rangesOf(list: BlockList): AddressRanges {
  return { has: (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') };
}
