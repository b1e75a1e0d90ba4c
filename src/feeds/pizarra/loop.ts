import { FeedFault } from '../contract/feed.ts';

/** The field of a request to `/healthz` by which a follower asks what the origin follows itself. */
export const followerField = 'pizarra-follower';

/** The maximum number of services that are followed through an origin. Real chains are of two or three. */
const chainMax = 64;

/** The field of the response: the ids of the services that the origin follows, directly and through others. */
export const originsField = 'pizarra-origins';

const idForm = /^[\w-]{1,64}$/;

/** Whether a text has the form of the id of a running service. */
export function isServiceId(text: string): boolean {
  return idForm.test(text);
}

/**
 * The ids of all services that are followed through an origin, itself first.
 *
 * @param own the id of this running service.
 * @throws FeedFault `refused` if this service is one of them: services that follow one another in a loop have no
 *   source, and each would look fresh because of the other.
 */
export function chainOf(
  own: string,
  { instance, origins = '' }: { readonly instance: string; readonly origins: string | undefined },
): readonly string[] {
  if (instance === own) {
    throw new FeedFault('refused', 'the origin is this service itself: correct url');
  }
  const further = origins.split(' ').filter(isServiceId);
  if (!further.includes(own)) return [instance, ...further.slice(0, chainMax)];
  throw new FeedFault(
    'refused',
    'the origin follows this service, directly or through others: a loop has no source of prices, so remove one of its feeds',
  );
}
