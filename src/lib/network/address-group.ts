import { isIPv6 } from 'node:net';

/**
 * The group of addresses that belongs to one customer of a network. It is a single IPv4 address, also
 * when written as IPv6 (`::ffff:192.0.2.1`), or the first 64 bits of an IPv6 address, because a
 * customer gets at least a /64. A text that is not an address is returned unchanged.
 */
export function addressGroup(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  if (!isIPv6(bare)) return address;
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = bare.split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  const prefix = [...first, ...zeros, ...last].slice(0, 4);
  return `${prefix.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The 16-bit groups of one side of an address. A trailing IPv4 part counts as two groups. */
function groupsOf(side: string): number[] {
  if (side === '') return [];
  return side
    .split(':')
    .flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
