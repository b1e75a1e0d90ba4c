import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import type { CertificateFiles } from '../../../src/node/listeners/open-transport.ts';

/** Writes a certificate of this machine for all sides with TLS. Undefined without OpenSSL. */
export async function writeCertificate(directory: string): Promise<CertificateFiles | undefined> {
  const pair = makeCertificate();
  if (pair === undefined) return undefined;
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
  await writeFile(files.cert, pair.cert);
  await writeFile(files.key, pair.key);
  return files;
}
