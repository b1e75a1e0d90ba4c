import { hostname } from 'node:os';
import { isLoopbackHost, reachableUrl, urlHost } from '../../lib/network/url-host.ts';
import type { LiveNode } from '../../store/contract/nodes.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { privateCertificateFiles } from '../../node/listeners/open-transport.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { flagName, type Settings } from '../../config/settings/settings.ts';
import { ask, fieldOf, isBehind } from '../../lib/network/ask.ts';

/** The addresses of the listeners of a service on this machine. */
interface Addresses {
  /** Absent for a service without a public listener. */
  readonly url: string | undefined;
  readonly privateUrl: string;
  /** The id that both listeners show, if the service has published it. */
  readonly instance?: string;
}

/**
 * Asks the service on this machine whether it is alive or, with `ready`, whether it is ready. Gives the URL
 * that responded. For health checks of containers and monitors: it works with and without TLS, at whatever
 * port the service listens, and needs no key.
 *
 * @throws OperatorFault when no service responds, or when it responds with a fault.
 */
export async function checkHealth(
  place: StorePlace,
  settings: Settings,
  { ready }: { readonly ready: boolean },
): Promise<string> {
  const { url, privateUrl, instance } = (await publishedBy(place)) ?? configuredBy(settings);
  const at = ready ? `${privateUrl}/readyz` : `${url ?? privateUrl}/healthz`;
  const { status, body } = await ask(at).catch((cause: unknown) => {
    throw new OperatorFault(`No service responds at ${at}.`, { cause });
  });
  const shown = fieldOf(body, 'instancia') ?? fieldOf(body, 'instance');
  // A node that is behind the others is alive, and a restart does not help it.
  const isAlive = status === 200 || (!ready && isBehind({ status, body }));
  if (isAlive && !ready && instance !== undefined && shown !== instance) {
    throw new OperatorFault(`${at} is served by another program.`);
  }
  if (isAlive) return at;
  throw new OperatorFault(`${at} responds with status ${status}: ${body.trim()}`);
}

/**
 * The addresses that a service on this machine has published in its data directory. Undefined if the service
 * could not publish them or this user may not read them. Undefined with a database too, because a service may
 * work while its database does not respond.
 *
 * @throws OperatorFault when no service runs on the directory. Then the configured port belongs to another program.
 */
async function publishedBy(place: StorePlace): Promise<Addresses | undefined> {
  if (place.kind !== 'sqlite') return undefined;
  let nodes: readonly LiveNode[];
  let isServed: boolean;
  try {
    isServed = (await place.holder()) !== undefined;
    nodes = await place.nodes.live();
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return undefined;
  }
  if (!isServed) {
    throw new OperatorFault(
      `No service runs on ${place.name}. If it runs on another place, set ${flagName('store')}.`,
    );
  }
  const here = nodes.find(({ host }) => host === hostname());
  if (here === undefined) return undefined;
  const { url, privateUrl, instance } = here;
  return {
    instance,
    url: url === '' ? undefined : reachableUrl(url),
    privateUrl: reachableUrl(privateUrl),
  };
}

/** The addresses at which a service with these settings listens. */
function configuredBy(settings: Settings): Addresses {
  const { role, host, port, basePath, privateHost, privatePort, tlsCert } = settings;
  const isLocal = isLoopbackHost(privateHost);
  const scheme = tlsCert === '' ? 'http' : 'https';
  const isPrivateTls = privateCertificateFiles(settings, isLocal) !== undefined;
  return {
    url:
      role === 'write'
        ? undefined
        : reachableUrl(`${scheme}://${urlHost(host)}:${port}`) + basePath,
    privateUrl: reachableUrl(
      `${isPrivateTls ? 'https' : 'http'}://${urlHost(privateHost)}:${privatePort}`,
    ),
  };
}
