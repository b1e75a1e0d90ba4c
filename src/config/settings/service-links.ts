import { isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment without the variables that Kubernetes adds for a Service named `pizarra` or
 * `pizarra-…`. They have the prefix of the settings: `PIZARRA_PORT=tcp://10.0.0.11:80` is no port to
 * listen on. Only the documented names are left out, and only with the address of the Service in the
 * documented shape, so a mistake in a setting is still found.
 *
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export function withoutServiceLinks(environment: Environment): Environment {
  const links = new Set<string>();
  for (const [variable, host] of Object.entries(environment)) {
    const service = /^(PIZARRA(?:_[A-Z0-9]+)*)_SERVICE_HOST$/.exec(variable)?.[1];
    if (service === undefined || host === undefined || isIP(host) === 0) continue;
    for (const [name, value = ''] of Object.entries(environment)) {
      if (name.startsWith(`${service}_`) && isLink(name.slice(service.length), { value, host })) {
        links.add(name);
      }
    }
  }
  if (links.size === 0) return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !links.has(name)));
}

/** Whether a variable is one of those of the Service at an address, by what follows its name. */
function isLink(
  suffix: string,
  { value, host }: { readonly value: string; readonly host: string },
): boolean {
  if (suffix === '_SERVICE_HOST') return value === host;
  if (/^_SERVICE_PORT(?:_[A-Z0-9_]+)?$/.test(suffix)) return isPort(value);
  if (suffix === '_PORT') {
    const [protocol = '', port = ''] = /^([a-z]+):.*:(\d+)$/.exec(value)?.slice(1) ?? [];
    return isAddress(value, { protocol, host, port });
  }
  const [port = '', upper = '', field] =
    /^_PORT_(\d+)_(TCP|UDP|SCTP)(?:_(PROTO|PORT|ADDR))?$/.exec(suffix)?.slice(1) ?? [];
  const protocol = upper.toLowerCase();
  if (port === '') return false;
  if (field === 'PROTO') return value === protocol;
  if (field === 'PORT') return value === port;
  if (field === 'ADDR') return value === host;
  return isAddress(value, { protocol, host, port });
}

function isAddress(
  value: string,
  { protocol, host, port }: Readonly<Record<'protocol' | 'host' | 'port', string>>,
): boolean {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return (
    ['tcp', 'udp', 'sctp'].includes(protocol) &&
    isPort(port) &&
    value === `${protocol}://${shown}:${port}`
  );
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}
