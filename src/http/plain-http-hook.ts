import type { onRequestHookHandler } from 'fastify';

import type { AddressRanges } from '../lib/address-ranges.ts';
import type { Clock } from '../lib/clock.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { isRefused } from './auth-hook.ts';
import { closeAfter } from './close-after.ts';
import type { RateLimits } from './rate-limits.ts';

/** Whether a connection may carry a key: it is encrypted, or its peer may speak plain HTTP. */
export function mayCarryKey(
  plainPeers: AddressRanges | undefined,
  { remoteAddress = '' }: { readonly remoteAddress?: string | undefined },
): boolean {
  return plainPeers === undefined || plainPeers.has(remoteAddress);
}

/**
 * Refuses requests whose key would have crossed a network unencrypted. It comes before anything else
 * about a request is looked at: a preflight is refused too, so that a browser does not send the key,
 * and the pages are not served, so that nobody enters a key into one. A health check without a key is
 * answered, for balancers that check the service directly. Refusals count as failures of the address.
 */
export function plainHttpHook({
  plainPeers,
  healthPath,
  rateLimits,
  clock,
}: {
  readonly plainPeers: AddressRanges;
  /** The open path that a health check asks for. */
  readonly healthPath: string;
  readonly rateLimits?: RateLimits | undefined;
  readonly clock: Clock;
}): onRequestHookHandler {
  const answer = errorAnswer('plain-http');
  return (request, reply, done) => {
    const { routeOptions, raw } = request;
    const isHealthCheck =
      routeOptions.url === healthPath && raw.headers.authorization === undefined;
    if (isHealthCheck || mayCarryKey(plainPeers, raw.socket)) return done();
    void closeAfter(reply);
    if (isRefused(reply, rateLimits?.admitFailure(request.ip, clock.now()))) return;
    void sendError(reply, answer);
  };
}
