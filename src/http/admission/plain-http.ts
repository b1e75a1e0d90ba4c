import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf } from '../handler/response-draft.ts';
import type { Step } from '../handler/visit.ts';
import { admitFailure, type RateLimits } from './rate-limits.ts';

/**
 * Refuses requests whose key would cross a network unencrypted, before anything else is decided. A
 * preflight is refused too, so that a browser does not send the key. The pages are refused, so that
 * nobody enters a key into one. A health check without a key is answered, for load balancers that check
 * the service directly. Refusals count as failures of the address.
 */
export function refusePlainHttp({
  plainPeers,
  rateLimits,
  errors,
}: {
  /** The addresses that may use plain HTTP. */
  readonly plainPeers: AddressRanges;
  readonly rateLimits: RateLimits | undefined;
  readonly errors: typeof errorResponse;
}): Step {
  const answer = draftOf(errors('plain-http'));
  return (visit) => {
    const { request, reading } = visit;
    const { peer, headers } = request;
    const isHealthCheck =
      reading.route?.isHealthCheck === true && headers['authorization'] === undefined;
    if (isHealthCheck || peer.isEncrypted || plainPeers.has(peer.address)) return undefined;
    visit.closes = true;
    return admitFailure(visit, rateLimits) ?? answer;
  };
}
