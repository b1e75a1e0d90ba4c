import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

import { StoreFault } from '../../contract/store-fault.ts';
import { isOnThisMachine, type PostgresHost } from './postgres-host.ts';
import { mistake } from './url-mistake.ts';
import type { UrlParameters } from './url-parameters.ts';

/** How a connection is encrypted, and what is verified. Files are read at each connection. */
export type TlsMode =
  | { readonly mode: 'disable' }
  | {
      readonly mode: 'verify-full' | 'verify-ca' | 'require-unverified';
      /** The file of the authorities. Absent for those that Node trusts. */
      readonly rootCert?: string | undefined;
      readonly cert?: string | undefined;
      readonly key?: string | undefined;
    };

/**
 * How to encrypt the connections to these hosts. A server on another machine is verified, unless the URL
 * says otherwise in so many words.
 *
 * @throws StoreFault `unavailable`
 */
export function tlsOf(hosts: readonly PostgresHost[], parameters: UrlParameters): TlsMode {
  const isLocal = hosts.every(isOnThisMachine);
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  const rootCert = parameters.get('sslrootcert');
  const [cert, key] = [parameters.get('sslcert'), parameters.get('sslkey')];
  switch (mode) {
    case 'disable':
      if (rootCert !== undefined || cert !== undefined) {
        throw mistake('sslmode=disable contradicts the certificates in it');
      }
      return { mode };
    case 'verify-full':
    case 'verify-ca':
    case 'require-unverified':
      if ((cert === undefined) !== (key === undefined)) {
        throw mistake('sslcert and sslkey are given together or not at all');
      }
      return {
        mode,
        ...(rootCert === undefined || rootCert === 'system' ? {} : { rootCert }),
        ...(cert === undefined ? {} : { cert, key }),
      };
    case 'require':
    case 'prefer':
    case 'allow':
      throw mistake(
        `sslmode=${mode} does not verify the server, so anybody on the network between could read and ` +
          'change the data. Use sslmode=verify-full, with sslrootcert=FILE for an authority of your ' +
          'own; or sslmode=require-unverified to encrypt without verification',
      );
    default:
      throw mistake('sslmode must be verify-full, verify-ca, require-unverified or disable');
  }
}

/**
 * The options of a TLS connection; false for none.
 *
 * @throws StoreFault `unavailable` when a file cannot be read.
 */
export function tlsOptions(tls: TlsMode): false | ConnectionOptions {
  if (tls.mode === 'disable') return false;
  return {
    rejectUnauthorized: tls.mode !== 'require-unverified',
    ...(tls.rootCert === undefined ? {} : { ca: contentOf(tls.rootCert) }),
    ...(tls.cert === undefined ? {} : { cert: contentOf(tls.cert) }),
    ...(tls.key === undefined ? {} : { key: contentOf(tls.key) }),
    // The chain is verified, and the name of the host is not.
    ...(tls.mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new StoreFault('unavailable', `cannot read the certificate ${file}: ${reason}`, {
      cause,
    });
  }
}
