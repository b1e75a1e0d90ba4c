import { setTimeout as sleep } from 'node:timers/promises';

import { lacksBalancer, startBalancer } from './balancer.ts';
import { BalancedClients } from './balanced-clients.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './outcome.ts';

/** How long the clients go on before the first and after the last restart. */
const aroundMs = 1_000;

/** Restarts every node, the writer last, while clients send requests through the balancer. */
export async function upgradeAll(cluster: Cluster): Promise<Outcome> {
  if (lacksBalancer('caddy')) return { skipped: 'caddy is not installed' };
  const urls = cluster.nodes.map(({ url }) => url ?? '');
  await using balancer = await startBalancer('caddy', urls);
  const clients = new BalancedClients(() => balancer.url, cluster.readKey);
  await sleep(aroundMs);
  const writer = await cluster.writer();
  for (const node of [...cluster.nodes.filter((one) => one !== writer), writer]) {
    await node.stop();
    await node.start();
  }
  await sleep(aroundMs);
  await clients.stop();
  const { requests, failed } = clients.take();
  const findings = failed.map((text) => `through the balancer: ${text}`);
  if (requests < 100) findings.push(`only ${requests} requests`);
  return { findings };
}
