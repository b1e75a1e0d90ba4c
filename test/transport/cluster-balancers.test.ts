/** The shipped balancers in front of two nodes, which are HTTP servers that the test makes fail. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';

import {
  balancerNames,
  lacksBalancer,
  startBalancer,
  type Balancer,
  type BalancerName,
} from '../cluster/balancer.ts';
import { once, until } from '../support/wait.ts';

const path = '/cotizaciones?panel=LID';
const uncached = '/historicos?especie=GGAL';

/** A node whose responses the test sets. */
async function startNode(name: string) {
  const state = {
    health: 200,
    /** The status of every path but `uncached`. */
    status: 200,
    /** The status of `uncached`. */
    uncachedStatus: 200,
    asked: 0,
  };
  const server = createServer(({ url }, response) => {
    if (url === '/healthz') {
      response.statusCode = state.health;
      return void response.end('{}');
    }
    state.asked += 1;
    response.statusCode = url === uncached ? state.uncachedStatus : state.status;
    response.setHeader('retry-after', '1');
    response.end(`from ${name}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await server[Symbol.asyncDispose]();
  };
  return { state, stop, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}

/** Two nodes behind a balancer. Undefined if the balancer is not installed. */
async function startBalanced(t: TestContext, name: BalancerName) {
  if (lacksBalancer(name)) {
    t.skip(`${name} is not installed`);
    return undefined;
  }
  await using cleanUp = new AsyncDisposableStack();
  const one = cleanUp.use(await startNode('one'));
  const two = cleanUp.use(await startNode('two'));
  const balancer = cleanUp.use(await startBalancer(name, [one.url, two.url]));
  const running = cleanUp.move();
  return { one, two, balancer, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Status and body of each of some responses, in one text each. */
async function ask({ url }: Balancer, target: string, times = 20): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let sent = 0; sent < times; sent += 1) {
    const response = await fetch(url + target);
    answers.push(`${response.status} ${await response.text()}`);
  }
  return answers;
}

function isFrom(answers: readonly string[], pattern: RegExp): void {
  assert.deepEqual(
    answers.filter((answer) => !pattern.test(answer)),
    [],
  );
}

for (const name of balancerNames) {
  test(`${name}: a 503 of one node is retried on the other, whichever it is`, async (t) => {
    await using balanced = await startBalanced(t, name);
    if (balanced === undefined) return;
    const { one, two, balancer } = balanced;
    one.state.status = 503;
    isFrom(await ask(balancer, path), /^200 from two$/);
    assert.ok(one.state.asked > 0);
    one.state.status = 200;
    two.state.status = 503;
    isFrom(await ask(balancer, path), /^200 from one$/);
  });

  test(`${name}: when all nodes respond 503, clients get such a response, and other paths are served`, async (t) => {
    await using balanced = await startBalanced(t, name);
    if (balanced === undefined) return;
    const { one, two, balancer } = balanced;
    for (const { state } of [one, two]) state.uncachedStatus = 503;
    isFrom(await ask(balancer, uncached), /^503 from (?:one|two)$/);
    isFrom(await ask(balancer, path), /^200 from (?:one|two)$/);
  });

  test(`${name}: while one node is down, the reason of the other one's 503 reaches the client`, async (t) => {
    await using balanced = await startBalanced(t, name);
    if (balanced === undefined) return;
    const { one, two, balancer } = balanced;
    one.state.status = 503;
    await two.stop();
    isFrom(await ask(balancer, path), /^503 from one$/);
    one.state.status = 200;
    isFrom(await ask(balancer, path), /^200 from one$/);
  });
}

test('caddy: a node whose health check fails is left out, until the check succeeds again', async (t) => {
  await using balanced = await startBalanced(t, 'caddy');
  if (balanced === undefined) return;
  const { one, two, balancer } = balanced;
  const isAsked = async (): Promise<boolean> => {
    const before = two.state.asked;
    isFrom(await ask(balancer, path, 10), /^200 /);
    return two.state.asked > before;
  };
  await until('both nodes are used', isAsked);
  two.state.health = 503;
  await until('left out', async () => !(await isAsked()));
  assert.equal(await isAsked(), false);
  two.state.health = 200;
  await until('used again', isAsked);
  assert.ok(one.state.asked > 0);
});

test('caddy: if no node passes its health check, one of them is asked all the same', async (t) => {
  await using balanced = await startBalanced(t, 'caddy');
  if (balanced === undefined) return;
  const { one, two, balancer } = balanced;
  for (const { state } of [one, two]) state.health = 503;
  const isSlow = async (): Promise<boolean> => {
    const begun = performance.now();
    isFrom(await ask(balancer, path, 1), /^200 /);
    return performance.now() - begun > 1_500;
  };
  await until('both are left out, and the balancer waits for one', isSlow);
  isFrom(await ask(balancer, path, 2), /^200 /);
});

test('caddy: pushed updates reach the node that writes, and no other path of a private listener is open', async (t) => {
  if (lacksBalancer('caddy')) return t.skip('caddy is not installed');
  const writes = { one: true, two: false };
  const startPrivate = async (name: 'one' | 'two') => {
    const server = createServer(({ url }, response) => {
      if (url === '/readyz/updates') response.statusCode = writes[name] ? 200 : 503;
      response.end(`${name} ${url}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  await using one = await startPrivate('one');
  await using two = await startPrivate('two');
  const urls = [one, two].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  await using balancer = await startBalancer('caddy', urls, urls);
  const push = async (target: string): Promise<string> => {
    const response = await fetch(balancer.updatesUrl + target, { method: 'POST', body: '[]' });
    return `${response.status} ${await response.text()}`;
  };
  await until('the writer is known', async () => (await push('/updates')) === '200 one /updates');
  writes.one = false;
  writes.two = true;
  await until('the next writer', async () => (await push('/updates')) === '200 two /updates');
  for (const other of ['/metrics', '/readyz', '/healthz']) {
    assert.match(await push(other), /^404 /, other);
  }
  for (const server of [one, two]) server.closeAllConnections();
});
