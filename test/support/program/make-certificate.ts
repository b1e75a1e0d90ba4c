import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CertificatePair } from '../../../src/http/carriers/connection/certificate.ts';

/**
 * Creates a self-signed certificate for this machine with OpenSSL, so the repository contains no private
 * key. Undefined when OpenSSL is not installed.
 */
export function makeCertificate(name = 'localhost'): CertificatePair | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const args = [
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90'.split(' '),
    ['-subj', `/CN=${name}`, '-addext', names, '-keyout', key, '-out', cert],
  ].flat();
  try {
    execFileSync('openssl', args, { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
