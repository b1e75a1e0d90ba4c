import { constants } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** A certificate chain and its private key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * The cipher suites of Mozilla's "intermediate" configuration: forward secrecy and authenticated
 * encryption. All suites of TLS 1.3 have both.
 */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** TLS options for a pair: TLS 1.2 and 1.3, without renegotiation, which only attackers use. */
export function secureContextOptions({ cert, key }: CertificatePair): SecureContextOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/**
 * The certificate of a service. It can be renewed; connections that began with the old one stay open.
 * The pair always fits together.
 */
export class Certificate {
  readonly #followers = new Set<(pair: CertificatePair) => void>();
  #pair: CertificatePair;

  /** @throws the reason why the pair cannot be used for TLS. */
  constructor(pair: CertificatePair) {
    requireUsable(pair);
    this.#pair = pair;
  }

  get pair(): CertificatePair {
    return this.#pair;
  }

  /**
   * Uses another pair for new connections.
   *
   * @throws the reason why the pair cannot be used. Then the old one stays.
   */
  renew(pair: CertificatePair): void {
    requireUsable(pair);
    this.#pair = pair;
    for (const follow of this.#followers) follow(pair);
  }

  /** Calls `follow` with each new pair, until the result is disposed. */
  subscribe(follow: (pair: CertificatePair) => void): Disposable {
    this.#followers.add(follow);
    return { [Symbol.dispose]: () => void this.#followers.delete(follow) };
  }
}

/** Node takes an empty text for a certificate or a key that is not given, and fails in the handshakes. */
function requireUsable(pair: CertificatePair): void {
  if (pair.cert.trim() === '') throw new Error('the certificate is empty');
  if (pair.key.trim() === '') throw new Error('the key is empty');
  createSecureContext(secureContextOptions(pair));
}
