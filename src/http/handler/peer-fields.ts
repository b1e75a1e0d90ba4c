import { Fields } from './response.ts';

/** The field of `/healthz` by which the nodes of a cluster tell each other which line of the database they know. */
export const lineField = 'pizarra-line';

/** The field for a lineage; none where it is not known. */
export function lineFields(lineage: string | undefined): readonly Fields[] {
  return lineage === undefined ? [] : [new Fields([lineField, lineage])];
}

/** The field of a request by which a service that follows this one asks what this one follows. */
export const followerField = 'pizarra-follower';

/** The maximum number of ids in a response. A chain of services is shorter. */
const idsMax = 64;

/** The field that tells a follower the ids of the services that this one follows. */
export function originFields(ids: readonly string[]): readonly Fields[] {
  return [new Fields(['pizarra-origins', ids.slice(0, idsMax).join(' ')])];
}
