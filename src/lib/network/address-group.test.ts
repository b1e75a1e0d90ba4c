import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { addressGroup } from './address-group.ts';

test('each IPv4 address is its own group, also when written as IPv6', () => {
  assert.equal(addressGroup('192.0.2.1'), '192.0.2.1');
  assert.equal(addressGroup('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(addressGroup('::FFFF:192.0.2.1'), '192.0.2.1');
});

test('IPv6 addresses are grouped by their first 64 bits', () => {
  assert.equal(addressGroup('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(addressGroup('2001:db8:1:2::1'), '2001:db8:1:2::/64');
  assert.equal(addressGroup('2001:0DB8:0001:0002::'), '2001:db8:1:2::/64');
  assert.equal(addressGroup('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(addressGroup('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
  assert.equal(addressGroup('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(addressGroup('::1'), '0:0:0:0::/64');
  // `::` stands for one group in the first half, so groups after it belong to the prefix too.
  assert.equal(addressGroup('2001::3:4:5:6:7:8'), '2001:0:3:4::/64');
  assert.equal(addressGroup('::2:3:4:5:6:7:8'), '0:2:3:4::/64');
});

test('all addresses of one /64 are one group, and those of another /64 are another group', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (address, host) => {
      const group = addressGroup(address);
      if (!group.endsWith('::/64')) return;
      const [prefix = ''] = group.split('::/64');
      const rest = host.toString(16).padStart(16, '0').match(/.{4}/g) ?? [];
      assert.equal(addressGroup(`${prefix}:${rest.join(':')}`), group);
    }),
  );
});

test('a text that is not an address is its own group', () => {
  for (const text of ['', 'unknown', '/run/socket', 'a:b']) assert.equal(addressGroup(text), text);
});
