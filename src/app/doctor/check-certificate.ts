import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fine, warning, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

/** How long before its end a certificate is worth a warning, in days. */
const endsSoonDays = 14;

const msPerDay = 86_400_000;

/**
 * Checks the certificate that a listener shows: its dates, and that it is the one of the configured
 * file. A name that does not fit the local address, or a signature of its own, is told and is not
 * wrong: clients come by another name, and may trust it.
 */
export async function checkCertificate({
  served,
  at,
  file,
  now,
}: {
  readonly served: X509Certificate;
  /** The URL that was asked. */
  readonly at: string;
  readonly file: string;
  readonly now: number;
}): Promise<Finding> {
  const begins = served.validFromDate.getTime();
  const ends = served.validToDate.getTime();
  const renew = `Renew ${file} and its key; a running service reads them by itself.`;
  if (now >= ends) {
    return wrong('certificate', `It ended on ${dayOf(ends)}: clients refuse it.`, { todo: renew });
  }
  if (now < begins) {
    return wrong('certificate', `It begins on ${dayOf(begins)}: until then clients refuse it.`, {
      todo: 'Look at the clock of this machine, or at what issues the certificate.',
    });
  }
  const difference = await differenceFrom(file, served);
  if (difference !== undefined) return difference;
  if (now >= ends - endsSoonDays * msPerDay) {
    return warning('certificate', `It ends on ${dayOf(ends)}.`, { todo: renew });
  }
  const facts = [`It is that of ${file}, for ${namesOf(served)}, until ${dayOf(ends)}`];
  if (served.checkIssued(served)) facts.push('signed by itself: clients have to trust it by name');
  const { hostname } = new URL(at);
  if (!isFor(served, hostname)) facts.push(`not for ${hostname}, which clients do not use then`);
  return fine('certificate', `${facts.join('; ')}.`);
}

/** What to say unless the file holds the certificate that is served. */
async function differenceFrom(file: string, served: X509Certificate): Promise<Finding | undefined> {
  let configured: X509Certificate;
  try {
    configured = new X509Certificate(await readFile(file));
  } catch (error) {
    const { code = 'no certificate' } = error as NodeJS.ErrnoException;
    return warning('certificate', `${file} cannot be read (${code}) and compared with it.`, {
      todo: 'Run as the user of the service, or mend the file.',
    });
  }
  if (configured.fingerprint256 === served.fingerprint256) return undefined;
  return warning('certificate', `What is served is not what ${file} holds.`, {
    todo: 'If it was not renewed within the last seconds, look in the log for "the TLS certificate stays".',
  });
}

function isFor(certificate: X509Certificate, hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, '');
  const name = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return name !== undefined;
}

function namesOf({ subjectAltName, subject }: X509Certificate): string {
  return subjectAltName ?? subject.replaceAll('\n', ', ');
}

function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
