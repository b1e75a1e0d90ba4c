import { msPerDay } from '../../domain/calendar/plain-date.ts';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fine, warning, wrong, type Finding } from '../../lib/reports/finding.ts';

/** Remaining validity below which a certificate gets a warning, in days. */
const expiresSoonDays = 14;

/**
 * Checks the certificate that a listener presents: its dates, and that it is the certificate of the
 * configured file. A self-signed certificate, or one for other names than the advertised address, is
 * reported but is not wrong: clients use another name, and may trust the certificate. If the service sends clients
 * to the advertised address, a certificate for other names is a warning.
 */
export async function checkCertificate({
  served,
  at,
  isFollowed = false,
  file,
  now,
}: {
  readonly served: X509Certificate;
  /** The URL that the listener advertises to other machines. */
  readonly at: string;
  /** Whether the service sends clients to this URL, so that its certificate must be valid for it. */
  readonly isFollowed?: boolean;
  readonly file: string;
  readonly now: number;
}): Promise<Finding> {
  const begins = served.validFromDate.getTime();
  const ends = served.validToDate.getTime();
  const renew = `Renew ${file} and its key. A running service reloads them.`;
  if (now >= ends) {
    return wrong('certificate', `The certificate expired on ${dayOf(ends)}. Clients reject it.`, {
      todo: renew,
    });
  }
  if (now < begins) {
    return wrong(
      'certificate',
      `The certificate is valid from ${dayOf(begins)} on. Clients reject it until then.`,
      {
        todo: 'Check the clock of this machine, and the issuer of the certificate.',
      },
    );
  }
  const difference = await differenceFrom(file, served);
  if (difference !== undefined) return difference;
  if (now >= ends - expiresSoonDays * msPerDay) {
    return warning('certificate', `The certificate expires on ${dayOf(ends)}.`, { todo: renew });
  }
  const { hostname } = new URL(at);
  if (isFollowed && !isFor(served, hostname)) {
    return warning(
      'certificate',
      `The certificate of ${file} is for ${namesOf(served)}, and not for ${hostname}, to which this node sends programs that push updates.`,
      {
        todo: 'Set privateAdvertise to a URL with a name of the certificate, or renew the certificate with this name.',
      },
    );
  }
  const facts = [
    `The certificate of ${file} is served, for ${namesOf(served)}, until ${dayOf(ends)}`,
  ];
  if (served.checkIssued(served))
    facts.push('self-signed, so clients must be configured to trust it');
  if (!isFor(served, hostname))
    facts.push(`not valid for ${hostname}, so clients must use another name`);
  return fine('certificate', `${facts.join('; ')}.`);
}

/** The finding if the served certificate is not that of the file. */
async function differenceFrom(file: string, served: X509Certificate): Promise<Finding | undefined> {
  let configured: X509Certificate;
  try {
    configured = new X509Certificate(await readFile(file));
  } catch (error) {
    const { code = 'no certificate' } = error as NodeJS.ErrnoException;
    return warning(
      'certificate',
      `The served certificate cannot be compared: ${file} cannot be read (${code}).`,
      {
        todo: 'Run the doctor as the user of the service, or replace the file.',
      },
    );
  }
  if (configured.fingerprint256 === served.fingerprint256) return undefined;
  return warning('certificate', `The served certificate is not that of ${file}.`, {
    todo: 'If it was not renewed within the last seconds, search the log for "new TLS certificate not usable".',
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
