import { setTimeout as sleep } from 'node:timers/promises';

import { behindTiming } from '../../src/cluster/behind.ts';
import { until } from '../support/wait.ts';
import { balancerNames, lacksBalancer, startBalancer } from './balancer.ts';
import { BalancedClients, type Sent } from './balanced-clients.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './cluster-faults.ts';
import type { Outcome } from './outcome.ts';
import type { ClusterNode } from './cluster-node.ts';

/** Time after which a node that is cut off refuses every key, in seconds: as soon as its health has changed. */
const keysStaleSeconds = 13;

/** How long the clients continue while the node refuses every key. */
const refusingMs = 8_000;

/** A balancer has left a node out within this time after its health has changed. */
const leftOutMs = 3_000;

/** Pause between two looks at the health of all nodes, in milliseconds. */
const lookPauseMs = 100;

async function healthOf({ url }: ClusterNode): Promise<string> {
  const response = await fetch(`${url}/healthz`);
  const { estado } = (await response.json()) as { readonly estado: string };
  return `${response.status} ${estado}`;
}

function cutOff(node: ClusterNode): void {
  node.cut({ toDatabase: 'drop', toNode: 'drop' });
}

function shareOf({ requests, failed }: Sent): string {
  return `${failed.length} of ${requests} (${((100 * failed.length) / Math.max(1, requests)).toFixed(1)} %)`;
}

/**
 * Cuts a follower off from the database until it refuses every key. Clients send requests through each shipped
 * balancer and, as a control, to all nodes in turn.
 */
async function cutBehindBalancers(cluster: Cluster): Promise<Outcome> {
  const names = balancerNames.filter((name) => !lacksBalancer(name));
  if (names.length === 0) return { skipped: 'no balancer is installed' };
  const writer = await cluster.writer();
  const node = cluster.nodes.find((one) => one !== writer) as ClusterNode;
  await node.stop();
  await node.start(['--keys-stale-max-seconds', String(keysStaleSeconds)]);
  node.mayRefuse = true;
  const urls = cluster.nodes.map(({ url }) => url ?? '');
  await using cleanUp = new AsyncDisposableStack();
  const clients = new Map<string, BalancedClients>();
  const begin = (name: string, nextUrl: () => string): void => {
    const own = new BalancedClients(nextUrl, cluster.readKey);
    clients.set(name, own);
    cleanUp.defer(() => own.stop());
  };
  for (const name of names) {
    const balancer = cleanUp.use(await startBalancer(name, urls));
    begin(name, () => balancer.url);
  }
  let turn = 0;
  begin('nodes in turn', () => urls[(turn += 1) % urls.length] ?? '');

  // The node has read the addresses of the others.
  await sleep(6_000);
  cutOff(node);
  await until('it is behind', async () => (await healthOf(node)) === '503 atrasado');
  const findings: string[] = [];
  for (const other of cluster.nodes.filter((one) => one !== node)) {
    const health = await healthOf(other);
    if (health !== '200 ok') findings.push(`the health of ${other.name} is ${health}`);
  }
  const notes: string[] = [];
  const take = (when: string): void => {
    for (const [name, own] of clients) {
      const sent = own.take();
      notes.push(`${when}, ${name}: ${shareOf(sent)} failed`);
      const isControl = name === 'nodes in turn';
      if (!isControl) findings.push(...sent.failed.map((text) => `through ${name}: ${text}`));
      else if (when === 'refusing' && sent.failed.length === 0) {
        findings.push('the node that is cut off refused nothing, so nothing was tested');
      }
    }
  };
  await sleep(leftOutMs);
  take('until left out');
  await sleep(refusingMs);
  take('refusing');
  node.heal();
  await until('it has caught up', async () => (await healthOf(node)) === '200 ok');
  await sleep(1_000);
  take('after');
  await cleanUp.disposeAsync();
  await node.stop();
  await node.start();
  node.mayRefuse = false;
  return { findings, notes };
}

/** Cuts all nodes off. No node is ahead of another one, so all stay healthy. */
async function cutAllOff(cluster: Cluster): Promise<Outcome> {
  await cluster.writer();
  for (const node of cluster.nodes) cutOff(node);
  const findings = new Set<string>();
  const looks = (behindTiming.afterMs + 8_000) / lookPauseMs;
  for (let look = 0; look < looks; look += 1) {
    for (const node of cluster.nodes) {
      const health = await healthOf(node);
      if (health !== '200 ok') findings.add(`the health of ${node.name} is ${health}`);
    }
    await sleep(lookPauseMs);
  }
  for (const node of cluster.nodes) node.heal();
  return { findings: [...findings] };
}

/** Faults in which nodes compare their health. */
export const behindFaults: readonly Fault[] = [
  { name: 'cut off behind balancers', happen: cutBehindBalancers },
  { name: 'cut all off', happen: cutAllOff },
];
