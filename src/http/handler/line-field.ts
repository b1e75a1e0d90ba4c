import { Fields } from './fields.ts';

/** The field of `/healthz` by which the nodes of a cluster tell each other which line of the database they know. */
export const lineField = 'pizarra-line';

/** The field for a lineage; none where it is not known. */
export function lineFields(lineage: string | undefined): readonly Fields[] {
  return lineage === undefined ? [] : [new Fields([lineField, lineage])];
}
