import type { Settings } from '../../config/settings/settings.ts';
import { reachableUrl } from '../../lib/network/url-host.ts';

/**
 * The text of the first start: the first key, and a link that opens the playground with it. The key is
 * in the fragment of the link, which browsers do not send to a server.
 *
 * Behind a proxy that terminates TLS the service does not know its public name, so the link has a
 * placeholder.
 */
export function firstKeyText(
  key: string,
  listeningAt: string,
  { behindProxy, tlsCert, basePath }: Pick<Settings, 'behindProxy' | 'tlsCert' | 'basePath'>,
): string {
  const isProxied = behindProxy.length > 0 && tlsCert === '';
  const url = isProxied ? `https://NAME${basePath}` : reachableUrl(listeningAt);
  const note = isProxied ? ' (NAME is the public name of your proxy)' : '';
  return `
Open Pizarra in a browser${note}:

  ${url}/#key=${key}

This link has the first API key of this installation. It is shown only now; keep it safe. From a shell:

  curl -H "Authorization: Bearer ${key}" "${url}/cotizaciones?panel=IND"

`;
}
