import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A certificate in a PEM file. */
const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads a PEM file with certificates of authorities. Everything else in the file, such as a key, is ignored.
 *
 * @returns the certificates, or the rest of a sentence that begins with the field: "must be …".
 */
export function readAuthorities(
  path: string,
): { readonly pem: string } | { readonly fault: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    return { fault: `must be a PEM file that this user may read, and ${path} is not: ${code}` };
  }
  const found = text.match(certificate) ?? [];
  if (found.length === 0) {
    return { fault: `must be a PEM file with certificates, and ${path} has none` };
  }
  for (const [index, pem] of found.entries()) {
    try {
      void new X509Certificate(pem);
    } catch {
      return {
        fault: `must be a PEM file with certificates, and certificate ${index + 1} of ${path} cannot be read`,
      };
    }
  }
  return { pem: found.join('\n') };
}
