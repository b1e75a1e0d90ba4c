import { lookup } from 'node:dns/promises';
import type { Transport } from '../../http/carriers/connection/transport.ts';
import { addressRanges, loopback } from '../../lib/address-ranges.ts';
import type { AddressRanges } from '../../lib/address-ranges.ts';
import type { Log } from '../../lib/log.ts';
import { keepCertificate } from './keep-certificate.ts';
import { OperatorFault, UsageFault } from '../operator-fault.ts';
import { flagName } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';

const tlsFlags = `${flagName('tlsCert')} and ${flagName('tlsKey')}`;

/** Address and transport of one listener. */
export interface ListenerTransport {
  /** The IP address. A host name in the settings is already resolved. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly transport: Transport;
}

/** The transports of the listeners. The certificate is reloaded from its files until this is disposed. */
export interface Transports extends AsyncDisposable {
  readonly public: ListenerTransport;
  readonly private: ListenerTransport;
}

/**
 * Chooses the transports of the listeners, so that no key crosses a network unencrypted. Plain HTTP is
 * allowed on loopback, and on the public listener from the configured proxies. Other peers get 403. The
 * private listener uses TLS, with the same certificate, only if other machines can reach it.
 *
 * @throws UsageFault when the settings would send keys unencrypted.
 * @throws OperatorFault when the certificate cannot be used, or a host name cannot be resolved.
 */
export async function openTransports(settings: Settings, log: Log): Promise<Transports> {
  const { tlsCert, tlsKey, behindProxy } = settings;
  if ((tlsCert === '') !== (tlsKey === '')) {
    throw new UsageFault(`Set both ${tlsFlags}, or neither: only one of them is set.`);
  }
  const isTls = tlsCert !== '';
  const publicHost = await addressOf(settings.host);
  const privateHost = await addressOf(settings.privateHost);
  if (!isTls && behindProxy.length === 0 && !loopback.has(publicHost)) {
    throw new UsageFault(
      `${flagName('host')} ${settings.host} is reachable from other machines, and API keys would ` +
        `cross the network unencrypted. Set ${tlsFlags}; or set ${flagName('behindProxy')} to the ` +
        'address of the proxy that terminates TLS; or listen on 127.0.0.1.',
    );
  }
  if (!isTls && !loopback.has(privateHost)) {
    throw new UsageFault(
      `${flagName('privateHost')} ${settings.privateHost} is reachable from other machines, and API ` +
        `keys would cross the network unencrypted. Set ${tlsFlags}, or listen on 127.0.0.1.`,
    );
  }
  const kept = isTls ? await keepCertificate({ cert: tlsCert, key: tlsKey }, log) : undefined;
  const certificate = kept?.certificate;
  const proxies = behindProxy.length === 0 ? undefined : addressRanges(behindProxy);
  const isPlainAndReachable = !isTls && !loopback.has(publicHost);
  const plainPeers = isPlainAndReachable ? plainPeersOf(proxies) : undefined;
  const isPrivateTls = isTls && !loopback.has(privateHost);
  return {
    public: {
      host: publicHost,
      scheme: isTls ? 'https' : 'http',
      transport: { certificate, proxies, plainPeers },
    },
    private: {
      host: privateHost,
      scheme: isPrivateTls ? 'https' : 'http',
      transport: { certificate: isPrivateTls ? certificate : undefined },
    },
    [Symbol.asyncDispose]: async () => kept?.[Symbol.asyncDispose](),
  };
}

/** The peers that may use plain HTTP on the public listener: this machine and the configured proxies. */
function plainPeersOf(proxies: AddressRanges | undefined): AddressRanges {
  return { has: (address) => loopback.has(address) || proxies?.has(address) === true };
}

/**
 * Resolves a host to one address. For a name with several addresses the first is used, because only
 * that address has been checked.
 *
 * @throws OperatorFault when the name cannot be resolved.
 */
async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new OperatorFault(
      `Cannot listen on ${host}: the host name cannot be resolved. Use an IP address of this machine.`,
      { cause },
    );
  }
}
