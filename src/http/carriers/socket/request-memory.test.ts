import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Peer } from '../../handler/request.ts';
import { LastRequest, ProxiedRequests, type RequestMemory } from './plain-request.ts';

const peer: Peer = { address: '127.0.0.1', isEncrypted: false };

function get(target: string, more = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
}

/** A request of a length in bytes. */
function ofLength(length: number): string {
  return get('/a', `X: ${'x'.repeat(length - get('/a', 'X: \r\n').length)}\r\n`);
}

/** Whether what was read from a text is used again when the text comes the next time. */
function remembers(memory: RequestMemory, text: string): boolean {
  const request = memory.read(text, peer);
  return request !== undefined && memory.read(text, peer) === request;
}

for (const Memory of [LastRequest, ProxiedRequests]) {
  test(`${Memory.name}: each text is read as itself, however often and in whatever order it comes`, () => {
    const memory = new Memory();
    for (const target of ['/a', '/a', '/b', '/a', '/b', '/b', '/b', '/a']) {
      const request = memory.read(get(target), peer) ?? assert.fail();
      assert.equal(request.target, target);
      assert.equal(request.method, 'GET');
      assert.deepEqual({ ...request.headers }, { host: 'x' });
      assert.deepEqual(request.peer, peer);
    }
  });

  test(`${Memory.name}: what is no plain request is never one, however often it comes`, () => {
    const memory = new Memory();
    for (let times = 0; times < 3; times += 1) {
      assert.equal(memory.read('GET / HTTP/1.0\r\n\r\n', peer), undefined);
    }
  });

  test(`${Memory.name}: a request is remembered from its second time on, up to 1,024 bytes`, () => {
    const memory = new Memory();
    for (const length of [1_023, 1_024]) {
      assert.equal(remembers(memory, ofLength(length)), false);
      assert.equal(remembers(memory, ofLength(length)), true);
    }
    for (let times = 0; times < 2; times += 1) {
      assert.equal(remembers(memory, ofLength(1_025)), false);
    }
  });
}

test('the requests of a proxy are remembered in any order and on any of its connections', () => {
  const memory = new ProxiedRequests();
  const turn = (): readonly unknown[] =>
    ['/a', '/b'].map((target) => memory.read(get(target), { ...peer }));
  const [first, second, third] = [turn(), turn(), turn()];
  for (const at of [0, 1]) {
    assert.notEqual(second[at], first[at]);
    assert.equal(third[at], second[at]);
  }
});

test('a remembered request has a peer of its own, which is no connection of the proxy', () => {
  const memory = new ProxiedRequests();
  assert.equal(memory.read(get('/a'), peer)?.peer, peer);
  const remembered = memory.read(get('/a'), peer);
  assert.notEqual(remembered?.peer, peer);
  assert.deepEqual(remembered?.peer, peer);
});

test('what one proxy sent is not what another one sends, though the bytes are the same', () => {
  const memory = new ProxiedRequests();
  const other: Peer = { address: '10.0.0.1', isEncrypted: false };
  for (let times = 0; times < 3; times += 1) {
    assert.equal(memory.read(get('/a'), peer)?.peer.address, peer.address);
    assert.equal(memory.read(get('/a'), other)?.peer.address, other.address);
  }
});

test('of the requests of proxies the latest 2,048 are remembered', () => {
  const memory = new ProxiedRequests();
  const send = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) memory.read(get(`/${at}`), peer);
  };
  memory.read(get('/kept'), peer);
  const remembered = memory.read(get('/kept'), peer);
  send(0, 2_047);
  assert.equal(memory.read(get('/kept'), peer), remembered);
  send(0, 2_048);
  assert.notEqual(memory.read(get('/kept'), peer), remembered);
});
