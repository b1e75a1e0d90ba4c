import { bondParameters } from '../../wire/params/reference/bond-params.ts';
import type { BondResponses } from '../bonds/bond-responses.ts';
import type { TableSource } from '../content/content.ts';

/** The yields, durations and parities of bonds (contract 4.10). */
export function bonos(responses: BondResponses): TableSource {
  return {
    path: '/bonos',
    parameters: bondParameters,
    find: (rawQuery, format) => responses.find(rawQuery, format),
  };
}
