import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { addressGroup } from './address-group.ts';

test('an IPv4 address is a group of its own, however it is written', () => {
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
  // The zeros end within the first half: the groups behind them count too.
  assert.equal(addressGroup('2001::3:4:5:6:7:8'), '2001:0:3:4::/64');
  assert.equal(addressGroup('::2:3:4:5:6:7:8'), '0:2:3:4::/64');
});

test('the 2^64 addresses of one party are one group, and those of another are another', () => {
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

test('what is no address is a group by itself', () => {
  for (const text of ['', 'unknown', '/run/socket', 'a:b']) assert.equal(addressGroup(text), text);
});
