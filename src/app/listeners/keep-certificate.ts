import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Certificate } from '../../http/carriers/connection/certificate.ts';
import type { CertificatePair } from '../../http/carriers/connection/certificate.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import { OperatorFault } from '../operator-fault.ts';

/** Where a certificate is kept. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that follows its files, until it is disposed. */
export interface KeptCertificate extends AsyncDisposable {
  readonly certificate: Certificate;
}

/**
 * How often the files are read again. They are a few kilobytes, and reading them sees every way in
 * which files are replaced, links to other directories as well; a watch on them does not.
 */
const defaultPollMs = 1_000;

/** From how long before its end a certificate is complained about. */
const endsSoonMs = 14 * 24 * 3_600_000;

/**
 * Reads a certificate and its key, and takes over what they are replaced with, once they have been
 * the same twice in a row: so they are not read half written, nor one without the other. What does
 * not fit together is logged and not taken over.
 *
 * @throws OperatorFault when they cannot be read or do not fit together at the start.
 */
export async function keepCertificate(
  files: CertificateFiles,
  log: Log,
  { pollMs = defaultPollMs }: { readonly pollMs?: number } = {},
): Promise<KeptCertificate> {
  const first = await readPair(files);
  const certificate = openCertificate(files, first);
  logCertificate(certificate.pair, log, 'TLS certificate read');
  let [held, seen] = [first, first];
  const poll = async (): Promise<void> => {
    const pair = await readPair(files);
    const isSettled = isSame(pair, seen);
    seen = pair;
    if (!isSettled || isSame(pair, held)) return;
    // Whether it is taken over or not: once is enough.
    held = pair;
    certificate.renew(pair);
    logCertificate(pair, log, 'TLS certificate renewed');
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault, ...files }, 'the TLS certificate stays: its files cannot be used');
  const polling = repeat(poll, { pauseMs: pollMs, onFault });
  return { certificate, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() };
}

function openCertificate(files: CertificateFiles, pair: CertificatePair): Certificate {
  try {
    return new Certificate(pair);
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorFault(
      `TLS cannot be spoken with ${files.cert} and ${files.key}: ${message}.`,
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
    throw new OperatorFault(`${path} cannot be read: ${code}.`, { cause });
  }
}

function isSame(a: CertificatePair, b: CertificatePair): boolean {
  return a.cert === b.cert && a.key === b.key;
}

function logCertificate({ cert }: CertificatePair, log: Log, message: string): void {
  const { subject, subjectAltName, validTo, fingerprint256 } = new X509Certificate(cert);
  const details = { subject, names: subjectAltName, validTo, fingerprint256 };
  const leftMs = Date.parse(validTo) - systemClock.now();
  if (leftMs > endsSoonMs) log.info(details, message);
  else log.warn(details, `${message}; ${leftMs > 0 ? 'it ends soon' : 'it has ended'}`);
}
