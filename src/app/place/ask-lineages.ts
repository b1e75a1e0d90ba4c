import { lineField } from '../../http/exchange/line-field.ts';
import type { NodeRecord } from '../../store/nodes.ts';
import type { PeerLineage } from '../../store/peer-lineage.ts';
import { ask, fieldOf } from '../ask.ts';

/** Maximum time for a response, in milliseconds. A take-over waits for it while a machine does not respond. */
const withinMs = 250;

/**
 * Asks nodes what they know of the history of their database. Both listeners tell it in `/healthz`, without a key.
 * A node whose private listener is not reachable from other machines is asked at the public one.
 */
export async function askLineages(nodes: readonly NodeRecord[]): Promise<readonly PeerLineage[]> {
  const answers = await Promise.all(nodes.map((node) => askOne(node)));
  return answers.filter((one) => one !== undefined);
}

async function askOne(node: NodeRecord): Promise<PeerLineage | undefined> {
  const { advertisedUrl, advertisedPrivateUrl } = node;
  const urls = [advertisedUrl, advertisedPrivateUrl].filter((one) => one !== '');
  try {
    return await Promise.any(urls.map((one) => lineageAt(one)));
  } catch {
    // None of them responds in time, or knows anything.
    return undefined;
  }
}

async function lineageAt(url: string): Promise<PeerLineage> {
  const { body, headers } = await ask(`${url}/healthz`, { withinMs });
  const lineage = headers[lineField];
  const instance = fieldOf(body, 'instancia') ?? fieldOf(body, 'instance');
  if (typeof lineage !== 'string' || typeof instance !== 'string') {
    throw new Error('the node does not know its line');
  }
  return { instance, lineage };
}
