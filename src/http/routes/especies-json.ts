import type { Board } from '../../board/board.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { instrumentListJson } from '../../wire/instrument-list-body.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { sendError, sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';

/** What the universe says of its instruments: the list of `/especies.txt`, as data. */
export function especiesJsonRoute({ board }: { readonly board: Board }): PublicRoute {
  return {
    path: '/especies.json',
    handle: (request, reply) => {
      const panel = parseListParams(queryOf(request.raw.url ?? ''));
      if (!panel.ok) return sendError(reply, problemAnswer(panel.problem));
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return sendJson(reply, instrumentListJson(listed));
    },
  };
}
