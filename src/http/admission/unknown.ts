import { LRUCache } from 'lru-cache';

import { closestTo } from '../../lib/text/closest.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, type ResponseDraft } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import type { RouteTable } from '../handler/route-table.ts';
import type { Step } from '../handler/visit.ts';

/** Limits of the unknown paths whose refusals are remembered: a client repeats its mistake. */
const pathsMax = 64;
const pathLengthMax = 256;

/**
 * Refuses what no route serves: 405 with `Allow` on a path that exists, 404 elsewhere (contract 4.5.1).
 * A target that is no path (`*` of OPTIONS, the authority of CONNECT) names no resource, so there the
 * method is refused.
 */
export function refuseUnknown(table: RouteTable, errors: typeof errorResponse): Step {
  const refusals = new LRUCache<string, ResponseDraft>({ max: pathsMax });
  // The path of a reading contains no key.
  const names = table.routes.map((route) => table.nameOf(route));
  const unknownPath = (path: string): ResponseDraft => {
    const known = refusals.get(path);
    if (known !== undefined) return known;
    if (path.length > pathLengthMax) return draftOf(errors('path-unknown', { path }));
    const closest = closestTo(path, names);
    // A key for URLs opens only some of the paths.
    const refusal =
      closest === undefined || closest === path
        ? draftOf(errors('path-unknown', { path }))
        : draftOf(errors('path-mistyped', { path, closest }));
    refusals.set(path, refusal);
    return refusal;
  };
  return ({ request: { method }, reading }) => {
    if (reading.route !== undefined) return undefined;
    const methods = table.methodsAt(reading, method);
    if (methods === undefined) return unknownPath(reading.path);
    const allow = Fields.of({ allow: methods.join(', ') });
    return draftOf(errors('method-not-allowed', { method, valid: methods }), [allow]);
  };
}
