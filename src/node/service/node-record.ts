import { resolve } from 'node:path';
import { advertisedOrigin, urlHost } from '../../lib/network/url-host.ts';
import type { NodeRecord } from '../../store/contract/nodes.ts';
import type { Transports } from '../listeners/open-transport.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** What a running service publishes about itself, for `doctor` and for the other nodes. */
export function nodeRecordOf({
  instance,
  machine,
  version,
  settings,
  basePath,
  urlKeys,
  origin,
  privateAt,
  transports,
}: {
  readonly instance: string;
  readonly machine: string;
  readonly version: string;
  readonly settings: Pick<Settings, 'role' | 'advertise' | 'privateAdvertise'>;
  /** The prefix of every public path. A reload may change it. */
  readonly basePath: string;
  /** As that of the record. A reload may change it. */
  readonly urlKeys: boolean;
  /** The origin of the public listener, with its actual port. Empty without one. */
  readonly origin: string;
  /** Where the private listener listens. */
  readonly privateAt: { readonly host: string; readonly port: number };
  readonly transports: Pick<Transports, 'public' | 'private'>;
}): NodeRecord {
  const { public: ofPublic, private: ofPrivate } = transports;
  const listening = { scheme: ofPrivate.scheme, ...privateAt };
  const advertised = (): string => {
    const { port } = new URL(origin);
    const { scheme, host } = ofPublic;
    const at = { scheme, host, port: Number(port === '' ? defaultPorts[scheme] : port) };
    return advertisedOrigin(settings.advertise, at, machine) + basePath;
  };
  return {
    instance,
    role: settings.role,
    host: machine,
    pid: process.pid,
    version,
    url: origin === '' ? '' : origin + basePath,
    privateUrl: `${ofPrivate.scheme}://${urlHost(privateAt.host)}:${privateAt.port}`,
    advertisedUrl: origin === '' ? '' : advertised(),
    advertisedPrivateUrl: advertisedOrigin(settings.privateAdvertise, listening, machine),
    urlKeys,
    tlsCert: fileOf(ofPublic.certFile),
    privateTlsCert: fileOf(ofPrivate.certFile),
  };
}

/** The ports that a URL leaves out. */
const defaultPorts = { http: 80, https: 443 };

function fileOf(certFile: string): string {
  return certFile === '' ? '' : resolve(certFile);
}
