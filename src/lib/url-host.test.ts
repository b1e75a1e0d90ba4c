import assert from 'node:assert/strict';
import { test } from 'node:test';

import { urlHost } from './url-host.ts';

test('RFC 3986 3.2.2: an IPv6 address is in brackets in a URL, and other hosts are not', () => {
  assert.equal(urlHost('::1'), '[::1]');
  assert.equal(urlHost('2001:db8::7'), '[2001:db8::7]');
  assert.equal(urlHost('127.0.0.1'), '127.0.0.1');
  assert.equal(urlHost('localhost'), 'localhost');
});
