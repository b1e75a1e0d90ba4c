import { setTimeout as sleep } from 'node:timers/promises';

import { lacksCaddy, startBalancer } from './balancer.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './cluster-faults.ts';

const clients = 4;
const requestPauseMs = 5;
const requestMsMax = 10_000;
/** How long the clients go on before the first and after the last restart. */
const aroundMs = 1_000;

/** Restarts every node, the writer last, while clients send requests through the balancer. */
export async function upgradeAll(cluster: Cluster): Promise<Outcome> {
  if (lacksCaddy()) return { skipped: 'caddy is not installed' };
  const urls = cluster.nodes.map(({ url }) => url ?? '');
  await using balancer = await startBalancer(urls);
  const stopping = new AbortController();
  const findings: string[] = [];
  let requests = 0;
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const response = await fetch(`${balancer.url}/cotizaciones?panel=LID`, {
          headers: { authorization: `Bearer ${cluster.readKey}` },
          signal: AbortSignal.timeout(requestMsMax),
        });
        const body = await response.text();
        requests += 1;
        if (response.status !== 200) findings.push(`${response.status} from the balancer: ${body}`);
      } catch (fault) {
        findings.push(`a request through the balancer failed: ${String(fault)}`);
      }
      await sleep(requestPauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  await sleep(aroundMs);
  const writer = await cluster.writer();
  for (const node of [...cluster.nodes.filter((one) => one !== writer), writer]) {
    await node.stop();
    await node.start();
  }
  await sleep(aroundMs);
  stopping.abort();
  await running;
  if (requests < 100) findings.push(`only ${requests} requests`);
  return { findings };
}
