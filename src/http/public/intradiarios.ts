import { barParameters } from '../../wire/params/bar-params.ts';
import type { BarResponses } from '../content/bar-responses.ts';
import type { TableSource } from '../content/content.ts';

/** The bars of the last sessions of one instrument (contract 4.9), from memory and from the store. */
export function intradiarios(responses: BarResponses): TableSource {
  return {
    path: '/intradiarios',
    parameters: barParameters,
    find: (rawQuery, format) => responses.find(rawQuery, format),
  };
}
