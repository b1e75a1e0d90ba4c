import { lookup } from 'node:dns/promises';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Certificate, type CertificatePair } from '../../http/carriers/connection/certificate.ts';
import type { Transport } from '../../http/carriers/connection/transport.ts';
import { addressRanges, loopback, type AddressRanges } from '../../lib/network/address-ranges.ts';
import type { Log } from '../../lib/reports/log.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { flagName, type Settings } from '../../config/settings/settings.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { repeat } from '../../lib/time/repeat.ts';

/** The settings of the files of a certificate, in pairs. */
const certificatePairs = [
  ['tlsCert', 'tlsKey'],
  ['privateTlsCert', 'privateTlsKey'],
] as const;

/** Address and transport of one listener. */
export interface ListenerTransport {
  /** The IP address. A host name in the settings is already resolved. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** The file of the certificate chain. Empty without TLS. */
  readonly certFile: string;
  readonly transport: Transport;
}

/** The transports of the listeners. The certificate is reloaded from its files until this is disposed. */
export interface Transports extends AsyncDisposable {
  readonly public: ListenerTransport;
  readonly private: ListenerTransport;
}

/**
 * Chooses the transports of the listeners, so that no key crosses a network unencrypted. Plain HTTP is
 * allowed on loopback and from the configured proxies of each listener. Other peers get 403.
 *
 * @throws UsageFault when the settings would send keys unencrypted.
 * @throws OperatorFault when a certificate cannot be used, or a host name cannot be resolved.
 */
export async function openTransports(settings: Settings, log: Log): Promise<Transports> {
  for (const [cert, key] of certificatePairs) {
    if ((settings[cert] === '') === (settings[key] === '')) continue;
    const both = `${flagName(cert)} and ${flagName(key)}`;
    throw new UsageFault(`Set both ${both}, or neither: only one of them is set.`);
  }
  const { tlsCert, tlsKey, behindProxy, privateBehindProxy } = settings;
  const publicHost = await addressOf(settings.host);
  const privateHost = await addressOf(settings.privateHost);
  const privateFiles = privateCertificateFiles(settings, loopback.has(privateHost));
  const isReachable = { public: !loopback.has(publicHost), private: !loopback.has(privateHost) };
  if (isReachable.public && tlsCert === '' && behindProxy.length === 0) {
    throw unencrypted(settings.host, {
      host: 'host',
      cert: 'tlsCert',
      key: 'tlsKey',
      proxy: 'behindProxy',
    });
  }
  if (isReachable.private && privateFiles === undefined && privateBehindProxy.length === 0) {
    throw unencrypted(settings.privateHost, {
      host: 'privateHost',
      cert: 'privateTlsCert',
      key: 'privateTlsKey',
      proxy: 'privateBehindProxy',
    });
  }
  await using cleanUp = new AsyncDisposableStack();
  const kept = new Map<string, Certificate>();
  const certificateOf = async (files: CertificateFiles | undefined) => {
    if (files === undefined) return undefined;
    const name = JSON.stringify(files);
    const certificate =
      kept.get(name) ?? cleanUp.use(await keepCertificate(files, log)).certificate;
    kept.set(name, certificate);
    return certificate;
  };
  const publicFiles = tlsCert === '' ? undefined : { cert: tlsCert, key: tlsKey };
  const listener = async (
    host: string,
    files: CertificateFiles | undefined,
    behind: readonly string[],
  ): Promise<ListenerTransport> => {
    const certificate = await certificateOf(files);
    const proxies = behind.length === 0 ? undefined : addressRanges(behind);
    const isPlainAndReachable = certificate === undefined && !loopback.has(host);
    const plainPeers = isPlainAndReachable ? plainPeersOf(proxies) : undefined;
    const scheme = certificate === undefined ? 'http' : 'https';
    const certFile = files?.cert ?? '';
    return { host, scheme, certFile, transport: { certificate, proxies, plainPeers } };
  };
  const opened = {
    public: await listener(publicHost, publicFiles, behindProxy),
    private: await listener(privateHost, privateFiles, privateBehindProxy),
  };
  const running = cleanUp.move();
  return { ...opened, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/**
 * The files of the certificate of the private listener: its own; or those of the public one, if other machines
 * can reach it and no proxy terminates TLS in front of it. Undefined for plain HTTP.
 */
export function privateCertificateFiles(
  settings: Pick<
    Settings,
    'tlsCert' | 'tlsKey' | 'privateTlsCert' | 'privateTlsKey' | 'privateBehindProxy'
  >,
  isLoopback: boolean,
): CertificateFiles | undefined {
  const { tlsCert, tlsKey, privateTlsCert, privateTlsKey, privateBehindProxy } = settings;
  if (privateTlsCert !== '') return { cert: privateTlsCert, key: privateTlsKey };
  if (isLoopback || tlsCert === '' || privateBehindProxy.length > 0) return undefined;
  return { cert: tlsCert, key: tlsKey };
}

/** The fault of a listener whose keys would cross a network unencrypted. */
function unencrypted(
  host: string,
  names: { readonly [what in 'host' | 'cert' | 'key' | 'proxy']: keyof Settings },
): UsageFault {
  return new UsageFault(
    `${flagName(names.host)} ${host} is reachable from other machines, and API keys ` +
      `would cross the network unencrypted. Set ${flagName(names.cert)} and ${flagName(names.key)}; or set ` +
      `${flagName(names.proxy)} to the address of the proxy that terminates TLS; or listen on 127.0.0.1.`,
  );
}

/** The peers that may use plain HTTP on a listener: this machine and the configured proxies. */
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

/** The files of a certificate. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that is reloaded from its files until it is disposed. */
export interface KeptCertificate extends AsyncDisposable {
  readonly certificate: Certificate;
}

/**
 * How often the files are read again, in milliseconds. They have a few kilobytes. Polling detects every
 * replacement of a file, also through links to other directories. A file watch does not.
 */
const defaultPollMs = 1_000;

/** Remaining validity below which a certificate causes a warning, in milliseconds. */
const expiresSoonMs = 14 * 24 * 3_600_000;

/**
 * Reads a certificate and its key, and reloads them when the files change. A change applies once two
 * consecutive reads are equal, so no half-written file is used, nor one file without the other. A
 * certificate and a key that do not match are logged, and the current ones stay in use.
 *
 * @throws OperatorFault when at the start a file cannot be read, or the two do not match.
 */
export async function keepCertificate(
  files: CertificateFiles,
  log: Log,
  { pollMs = defaultPollMs }: { readonly pollMs?: number } = {},
): Promise<KeptCertificate> {
  const first = await readPair(files);
  const certificate = openCertificate(files, first);
  logCertificate(certificate.pair, log, 'TLS certificate read');
  let [lastTried, lastRead] = [first, first];
  const poll = async (): Promise<void> => {
    const pair = await readPair(files);
    const isSettled = isSame(pair, lastRead);
    lastRead = pair;
    if (!isSettled || isSame(pair, lastTried)) return;
    // Each pair is tried once, whether it can be used or not.
    lastTried = pair;
    certificate.renew(pair);
    logCertificate(pair, log, 'TLS certificate renewed');
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault, ...files }, 'new TLS certificate not usable, keeping the current one');
  const polling = repeat(poll, { pauseMs: pollMs, onFault });
  return { certificate, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() };
}

function openCertificate(files: CertificateFiles, pair: CertificatePair): Certificate {
  try {
    return new Certificate(pair);
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorFault(
      `Cannot use the certificate ${files.cert} with the key ${files.key}: ${message}.`,
      { cause },
    );
  }
}

async function readPair(files: CertificateFiles): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([readPem(files.cert), readPem(files.key)]);
  return { cert, key };
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new OperatorFault(`Cannot read ${path}: ${code}.`, { cause });
  }
}

function isSame(a: CertificatePair, b: CertificatePair): boolean {
  return a.cert === b.cert && a.key === b.key;
}

function logCertificate({ cert }: CertificatePair, log: Log, message: string): void {
  const { subject, subjectAltName, validTo, fingerprint256 } = new X509Certificate(cert);
  const details = { subject, names: subjectAltName, validTo, fingerprint256 };
  const leftMs = Date.parse(validTo) - systemClock.now();
  if (leftMs > expiresSoonMs) log.info(details, message);
  else log.warn(details, `${message}; ${leftMs > 0 ? 'it expires soon' : 'it has expired'}`);
}
