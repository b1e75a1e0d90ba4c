import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressRanges, loopback } from './address-ranges.ts';

test('a range contains its address, the addresses of its block, and their IPv6 forms', () => {
  const ranges = addressRanges(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']);
  for (const one of ['192.0.2.7', '10.255.0.1', '::ffff:10.0.0.1', '2001:db8:1::1']) {
    assert.equal(ranges?.has(one), true, one);
  }
  for (const one of [
    '192.0.2.8',
    '11.0.0.1',
    '2001:db9::1',
    'proxy.example',
    '10.0.0.1:80',
    '[::1]',
    ' ',
    '',
  ]) {
    assert.equal(ranges?.has(one), false, one);
  }
});

test('a text that is neither an address nor a range is refused', () => {
  for (const one of [
    '',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '1.2.3.4/8/8',
    '1.2.3.4/',
  ]) {
    assert.equal(addressRanges([one]), undefined, one);
  }
});

test('loopback contains 127.0.0.0/8 and ::1, and no other address', () => {
  for (const one of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.ok(loopback.has(one), one);
  }
  for (const one of ['0.0.0.0', '::', '::2', '10.0.0.1', '126.255.255.255', '128.0.0.0'])
    assert.ok(!loopback.has(one), one);
});
