import type { errorAnswer } from '../../wire/texts/error-texts.ts';
import { errorToAnswer } from '../exchange/answer.ts';
import { Fields } from '../exchange/fields.ts';
import type { RouteTable } from '../exchange/route.ts';
import type { Step } from '../exchange/visit.ts';

/**
 * Refuses what no route serves: 405 with `Allow` on a path that exists, 404 elsewhere (contract 4.5.1).
 * A target that is no path (`*` of OPTIONS, the authority of CONNECT) names no resource, so there the
 * method is refused.
 */
export function refuseUnknown(table: RouteTable, errors: typeof errorAnswer): Step {
  return ({ request: { method }, reading: { route, path } }) => {
    if (route !== undefined) return undefined;
    const methods = table.methodsAt(path, method);
    if (methods === undefined) return errorToAnswer(errors('path-unknown', { path }));
    const allow = Fields.of({ allow: methods.join(', ') });
    return errorToAnswer(errors('method-not-allowed', { method, valid: methods }), [allow]);
  };
}
