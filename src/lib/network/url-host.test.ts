import assert from 'node:assert/strict';
import { test } from 'node:test';

import { advertisedOrigin, reachableUrl, urlHost } from './url-host.ts';

test('RFC 3986 3.2.2: an IPv6 address is in brackets in a URL, and other hosts are not', () => {
  assert.equal(urlHost('::1'), '[::1]');
  assert.equal(urlHost('2001:db8::7'), '[2001:db8::7]');
  assert.equal(urlHost('127.0.0.1'), '127.0.0.1');
  assert.equal(urlHost('localhost'), 'localhost');
});

test('a listener on all addresses is reached at the loopback address, and any other at its own', () => {
  assert.equal(reachableUrl('http://0.0.0.0:8080'), 'http://127.0.0.1:8080');
  assert.equal(reachableUrl('https://[::]:8443'), 'https://[::1]:8443');
  for (const url of ['http://10.0.0.7:8080', 'http://[::1]:80', 'http://127.0.0.1:1']) {
    assert.equal(reachableUrl(url), url);
  }
});

const at = (host: string) => ({ scheme: 'https', host, port: 8081 }) as const;

test('other machines reach a listener at its configured URL, else at its address, else at the name of the machine', () => {
  assert.equal(
    advertisedOrigin('https://updates.example', at('0.0.0.0'), 'm1'),
    'https://updates.example',
  );
  assert.equal(advertisedOrigin('', at('10.0.0.7'), 'm1'), 'https://10.0.0.7:8081');
  assert.equal(advertisedOrigin('', at('2001:db8::7'), 'm1'), 'https://[2001:db8::7]:8081');
  for (const host of ['0.0.0.0', '::']) {
    assert.equal(advertisedOrigin('', at(host), 'm1'), 'https://m1:8081');
  }
});
