import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Certificate, type CertificatePair } from '../../http/carriers/connection/certificate.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';

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
