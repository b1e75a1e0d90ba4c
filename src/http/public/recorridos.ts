import { pathParameters } from '../../wire/params/quote-params.ts';
import type { ContentSource } from '../content/content.ts';
import type { PathResponses } from '../content/path-responses.ts';

/** The paths of the sessions of a selection (contract 4.13), from memory and from the store. */
export function recorridos(responses: PathResponses): ContentSource {
  return {
    path: '/recorridos',
    parameters: pathParameters,
    find: (rawQuery) => responses.find(rawQuery),
  };
}
