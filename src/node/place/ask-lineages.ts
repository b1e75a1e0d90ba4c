import { lineField } from '../../http/handler/peer-fields.ts';
import type { NodeRecord, PeerLineage } from '../../store/contract/nodes.ts';
import { ask, fieldOf } from '../../lib/network/ask.ts';

/**
 * Asks nodes what they know of the history of their database. Both listeners tell it in `/healthz`, without a key.
 * A node whose private listener is not reachable from other machines is asked at the public one.
 */
export async function askLineages(
  nodes: readonly NodeRecord[],
  withinMs: number,
): Promise<readonly PeerLineage[]> {
  const answers = await Promise.all(nodes.map((node) => askOne(node, withinMs)));
  return answers.filter((one) => one !== undefined);
}

async function askOne(node: NodeRecord, withinMs: number): Promise<PeerLineage | undefined> {
  const { advertisedUrl, advertisedPrivateUrl } = node;
  const urls = [advertisedUrl, advertisedPrivateUrl].filter((one) => one !== '');
  try {
    return await Promise.any(urls.map((one) => lineageAt(one, withinMs)));
  } catch {
    // None of them responds in time, or knows anything.
    return undefined;
  }
}

async function lineageAt(url: string, withinMs: number): Promise<PeerLineage> {
  const { body, headers } = await ask(`${url}/healthz`, { withinMs });
  const lineage = headers[lineField];
  const instance = fieldOf(body, 'instancia') ?? fieldOf(body, 'instance');
  if (typeof lineage !== 'string' || typeof instance !== 'string') {
    throw new Error('the node does not know its line');
  }
  return { instance, lineage };
}
