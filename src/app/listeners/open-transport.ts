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

/** How one listener is reached, and where. */
export interface ListenerTransport {
  /** An address; a name in the settings has been looked up. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly transport: Transport;
}

/** How the listeners are reached. The certificate follows its files until this is disposed. */
export interface Transports extends AsyncDisposable {
  readonly public: ListenerTransport;
  readonly private: ListenerTransport;
}

/**
 * Decides how the listeners are reached, so that no key crosses a network in the clear: plain HTTP is
 * for loopback, and on the public listener for the proxies that the operator names; other peers get
 * 403. The private listener speaks TLS only where it is reached from elsewhere, with the same
 * certificate.
 *
 * @throws UsageFault when the settings would have it otherwise; OperatorFault when the certificate
 *   cannot be used, or a host is unknown.
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
  const isReachedInTheClear = !isTls && !loopback.has(publicHost);
  const plainPeers = isReachedInTheClear ? plainPeersOf(proxies) : undefined;
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

/** Who may speak plain HTTP to the public listener: the machine itself, and the named proxies. */
function plainPeersOf(proxies: AddressRanges | undefined): AddressRanges {
  return { has: (address) => loopback.has(address) || proxies?.has(address) === true };
}

/**
 * The address that a host means. One is enough: a name with several would be listened on at places
 * that nobody has looked at.
 */
async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new OperatorFault(`Cannot listen on ${host}: no such host is known here.`, { cause });
  }
}
