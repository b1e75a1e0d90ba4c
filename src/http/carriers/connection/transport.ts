import type { AddressRanges } from '../../../lib/network/address-ranges.ts';
import type { Certificate } from './certificate.ts';
import type { ConnectionObserver } from './connection-guard.ts';

/** How a listener is reached. */
export interface Transport {
  /** With a certificate, TLS is used, and HTTP/2 for clients that offer it; without, plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies?: AddressRanges | undefined;
  /** The addresses that may use plain HTTP; absent for all. TLS is not affected. */
  readonly plainPeers?: AddressRanges | undefined;
  readonly connectionObserver?: ConnectionObserver | undefined;
}
